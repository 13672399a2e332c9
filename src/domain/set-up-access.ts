/**
 * How set-up commands reach their registries. Operators give it; it is for those commands alone, and nothing of it is
 * kept in an image, a run or a receipt.
 */
export interface SetUpAccess {
  /** Certificates (PEM) of authorities to trust beside those that the image trusts. */
  certificates?: string;
  /** Variables by the names that installers know: proxies and registries. */
  variables: Record<string, string>;
  /** Bytes that prepared images may take together; the least recently used go first. */
  imageBytes?: number;
}
