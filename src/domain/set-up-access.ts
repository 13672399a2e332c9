/**
 * How set-up commands reach their registries. Operators give it; it is for those commands alone, and nothing of it is
 * kept in an image, a run or a receipt.
 */
/** What of the network a set-up reaches. */
export interface SetUpNetwork {
  /** `proxied`: public addresses, through a proxy of ours; `open`: whatever the engine's network reaches; `none`. */
  mode: 'proxied' | 'open' | 'none';
  /** Only these: `name`, `*.name`, `name:port`, or `*` for every public one. Absent: every public one. */
  hosts?: string[];
  /** Registries that the operator set, as `name:port`: reached wherever they are. */
  registries?: string[];
  /** The operator's own proxy, behind ours. */
  upstream?: string;
  /** Hosts for which that one is passed by. */
  direct?: string[];
}

export interface SetUpAccess {
  /** Certificates (PEM) of authorities to trust beside those that the image trusts. */
  certificates?: string;
  /** Variables by the names that installers know: proxies and registries. */
  variables: Record<string, string>;
  network?: SetUpNetwork;
  /** Bytes that prepared images may take together; the least recently used go first. */
  imageBytes?: number;
}
