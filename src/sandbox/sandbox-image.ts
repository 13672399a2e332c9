/** The image that agents work in; `scripts/provide/` makes it where it is missing. */
export const SANDBOX_IMAGE = 'fathom-sandbox:bookworm';
