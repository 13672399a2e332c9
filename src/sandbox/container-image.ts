import type Docker from 'dockerode';
import { PURPOSE_LABEL, ROOT_USER, RUN_LABEL } from './container-options.ts';

/**
 * Keeps a container's file system as an image. Its labels are emptied, and its main process and user are replaced: what
 * is set here wins over the container's own, and the rest (environment, working folder) is taken over. Memory file
 * systems are not part of it.
 */
export async function saveContainer(container: Docker.Container, image: string): Promise<void> {
  const { repo, tag } = splitName(image);
  await container.commit({
    _query: { container: container.id, repo, tag, pause: true },
    _body: { Cmd: ['bash'], User: ROOT_USER, Labels: { [RUN_LABEL]: '', [PURPOSE_LABEL]: '' } },
  } as object);
}

/** A colon after the last slash begins a tag; one before it belongs to a registry's port. */
function splitName(image: string): { repo: string; tag: string } {
  const colon = image.lastIndexOf(':');
  if (colon <= image.lastIndexOf('/')) return { repo: image, tag: 'latest' };
  return { repo: image.slice(0, colon), tag: image.slice(colon + 1) };
}
