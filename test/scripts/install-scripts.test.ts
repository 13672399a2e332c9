import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));

describe('install scripts of packages', () => {
  it('are each allowed or refused, so that npm neither asks nor warns, and Node 24 comes along', () => {
    const packages = Object.entries<{ hasInstallScript?: boolean }>(read('package-lock.json').packages);
    const withScript = packages.filter(([, one]) => one.hasInstallScript).map(([path]) => path);
    const decided: Record<string, boolean> = read('package.json').allowScripts;
    expect(Object.keys(decided).sort()).toEqual(withScript.map((path) => path.replace(/^.*node_modules\//, '')).sort());
    expect(Object.keys(decided).filter((name) => decided[name])).toEqual(['node']);
  });
});
