/** Everything this library throws on purpose. `code` is stable across versions, the message is not. */
export class LedgerlineError extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.name = 'LedgerlineError';
    this.code = code;
  }
}
