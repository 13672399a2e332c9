import { CommandName } from '../domain/inbox.ts';
import { compose } from './compose.ts';
import { bullets, code, type Inline, paragraph, strong } from './write-markdown.ts';

const meanings: Record<CommandName, Inline[]> = {
  diagnose: ['a diagnosis'],
  resolve: ['a diagnosis and a repair'],
  retry: ['the last of these once more'],
  stop: ['ends the run'],
  answer: ['corrects an answer of the diagnosis, as in ', code('/fathom answer 2: what is right')],
};

/** What is answered to a comment that begins like a command and is none: the commands that there are. */
export const renderCommands = (): string =>
  compose(
    [
      paragraph(strong('Not understood.'), ' These are the commands, in the first line of a comment:'),
      bullets(CommandName.options.map((name): Inline[] => [code(`/fathom ${name}`), ': ', ...meanings[name]])),
    ],
    [],
  );
