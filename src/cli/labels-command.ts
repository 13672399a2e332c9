import { exitCodes } from './exit-codes.ts';
import { labelSpecs, openGitHub, parseRepository } from './github-access.ts';
import { tellAsking } from './tell-asking.ts';

/** `fathom labels OWNER/REPO`: creates the labels that are missing there and says which. Nothing else creates labels. */
export async function labelsCommand(name: string): Promise<number> {
  const ref = parseRepository(name);
  const { forge, config } = openGitHub();
  tellAsking(`GitHub about ${ref.owner}/${ref.repo}`);
  const created = await forge.createLabels(ref, labelSpecs(config));
  process.stdout.write(created.length > 0 ? `Created ${created.join(', ')}.\n` : 'All labels are there already.\n');
  return exitCodes.done;
}
