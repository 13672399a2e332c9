import type { ConfigFlags } from '../config.ts';

/** What `fathom diagnose` and `fathom resolve` are given, as text. */
export interface RunFlags extends ConfigFlags {
  repo?: string;
  issue?: string;
  base?: string;
  out?: string;
  json?: boolean;
  resume?: string;
}
