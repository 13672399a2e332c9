/**
 * Milliseconds that a server asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as a date (RFC 9110
 * §10.2.3). Undefined where it asks for nothing that can be read; never negative.
 */
export function retryAfterMs(headers: Headers | undefined, now: Date): number | undefined {
  const exact = asNumber(headers?.get('retry-after-ms'));
  if (exact !== undefined) return exact;
  const value = headers?.get('retry-after')?.trim();
  const seconds = asNumber(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

function asNumber(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
