import type Docker from 'dockerode';
import { statusOf } from './engine-errors.ts';

interface KeptImage {
  name: string;
  /** Bytes that are this image's alone. */
  bytes: number;
  /** Milliseconds since 1970. */
  usedAt: number;
}

/** The engine notes when a name was last given; giving it again is how use is noted. */
export async function markImageUsed(engine: Docker, image: string): Promise<void> {
  const colon = image.lastIndexOf(':');
  await engine.getImage(image).tag({ repo: image.slice(0, colon), tag: image.slice(colon + 1) });
}

/** Removes images of the repository `name`, the least recently used first, until the rest take no more than `bytes`. */
export async function pruneKeptImages(
  engine: Docker,
  name: string,
  { bytes, idleSeconds }: { bytes: number; idleSeconds: number },
): Promise<number> {
  const images = (await keptImages(engine, name)).sort((a, b) => a.usedAt - b.usedAt);
  let total = images.reduce((sum, image) => sum + image.bytes, 0);
  let removed = 0;
  for (const image of images) {
    if (total <= bytes || Date.now() - image.usedAt < idleSeconds * 1000) break;
    if (!(await isRemoved(engine, image.name))) continue;
    total -= image.bytes;
    removed += 1;
  }
  return removed;
}

/** Bytes that the images of the repository `name` take for themselves. */
export async function keptImageBytes(engine: Docker, name: string): Promise<number> {
  return (await keptImages(engine, name)).reduce((sum, image) => sum + image.bytes, 0);
}

/** Docker Engine API: system df tells how much of an image is shared with others. */
async function keptImages(engine: Docker, name: string): Promise<KeptImage[]> {
  const listed = await engine.listImages({ filters: { reference: [name] } });
  if (listed.length === 0) return [];
  const { Images } = (await engine.df()) as { Images?: { Id: string; Size: number; SharedSize: number }[] };
  const own = new Map((Images ?? []).map(({ Id, Size, SharedSize }) => [Id, Size - Math.max(SharedSize, 0)]));
  const tagged = listed.flatMap(({ Id, Size, RepoTags }) => (RepoTags ?? []).map((tag) => ({ Id, Size, tag })));
  return Promise.all(
    tagged.map(async ({ Id, Size, tag }) => ({
      name: tag,
      bytes: own.get(Id) ?? Size,
      usedAt: await usedAt(engine, tag),
    })),
  );
}

async function usedAt(engine: Docker, image: string): Promise<number> {
  const { Created, Metadata } = (await engine.getImage(image).inspect()) as {
    Created: string;
    Metadata?: { LastTagTime?: string };
  };
  const tagged = Date.parse(Metadata?.LastTagTime ?? '');
  return Math.max(Date.parse(Created), Number.isNaN(tagged) ? 0 : tagged);
}

/** False where a container uses it, or somebody else was faster. */
async function isRemoved(engine: Docker, image: string): Promise<boolean> {
  try {
    await engine.getImage(image).remove();
    return true;
  } catch (error) {
    if (![404, 409].includes(statusOf(error) ?? 0)) throw error;
    return false;
  }
}
