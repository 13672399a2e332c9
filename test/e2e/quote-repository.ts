import type { FrontRepository } from '../../scripts/github-front/front-options.ts';
import type { ServedAnswer, ServedRequest } from '../fakes/chat-server.ts';

const source = 'export function escapeQuote(text) {\n  return text.replace(/"/g, "&quot;");\n}\n';

/** A private repository with the default branch `trunk`, its people, and a fault. */
export const quoteRepository: FrontRepository = {
  owner: 'acme',
  name: 'widget',
  private: true,
  defaultBranch: 'trunk',
  content: { commits: [{ message: 'Start', files: { 'src/quote.js': source, 'README.md': '# Widget\n' } }] },
  roles: { maria: 'write', tess: 'triage', rita: 'read' },
  labels: ['auto-triage', 'auto-diagnose', 'bug'],
};
export const REPOSITORY = 'acme/widget';
export const CAUSE = 'Only double quotes are replaced, so a single quote ends the attribute.';

/** Without questions only the Localizer speaks, whose tools need no container. */
export const withoutContainers = { FATHOM_QUESTIONS: '0' };

const finding = {
  locationExplanation: 'The only function that escapes.',
  rootCause: CAUSE,
  solutionIdea: 'Replace single quotes too.',
  dependencies: 'None.',
  testingImpact: 'Nothing tests it.',
  locations: [{ path: 'src/quote.js', startLine: 1, endLine: 3 }],
};

/** A Localizer who looks at the one file and says what is wrong with it. */
export function quoteLocalizer({ text }: ServedRequest): ServedAnswer {
  const acted = text.includes('"tool_calls"');
  const [name, args] = acted ? ['submit_findings', { findings: [finding] }] : ['view_file', { path: 'src/quote.js' }];
  return { toolCalls: [{ name, arguments: args }] };
}
