import markdownIt from 'markdown-it';

export type Theme = 'light' | 'dark';

export interface GitHubPage {
  title: string;
  markdown: string;
  /** Absent: as the reader's machine is set. */
  theme?: Theme;
  /** Who posted it, and where it stands; absent for the bare text. */
  frame?: { author: string; said: string; heading?: string; badge?: string };
  /** Folds stand open. */
  open?: boolean;
}

/**
 * Markdown that was posted on GitHub as a page of its own. The look is near to GitHub's and the parser is not GitHub's:
 * this shows the shape and not the last detail. Nothing in it is run or loaded.
 */
export function githubPage({ title, markdown, theme, frame, open }: GitHubPage): string {
  const rendered = markdownIt({ html: true, linkify: true }).render(markdown);
  const body = open === true ? rendered.replaceAll('<details>', '<details open>') : rendered;
  return `<!doctype html><html${theme === undefined ? '' : ` data-theme="${theme}"`}><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${style}</style>
${frame === undefined ? body : framed(frame, body)}</html>`;
}

function framed({ author, said, heading, badge }: NonNullable<GitHubPage['frame']>, body: string): string {
  const title = heading === undefined ? '' : `<h1>${escaped(heading)}</h1>`;
  const state = badge === undefined ? '' : `<p class="badge">${escaped(badge)}</p>`;
  return `${title}${state}<div class="post"><div class="avatar">F</div><div class="box">
<div class="head"><b>${escaped(author)}</b> <i>bot</i> ${escaped(said)}</div><div class="text">${body}</div></div></div>`;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');

const light = '--ink:#1f2328;--page:#fff;--line:#d1d9e0;--soft:#f6f8fa;--link:#0969da;--quiet:#59636e';
const dark = '--ink:#f0f6fc;--page:#0d1117;--line:#3d444d;--soft:#151b23;--link:#4493f8;--quiet:#9198a1';

const style = `
:root, [data-theme=light] { color-scheme: light; ${light} }
@media (prefers-color-scheme: dark) { :root:not([data-theme]) { color-scheme: dark; ${dark} } }
[data-theme=dark] { color-scheme: dark; ${dark} }
html { background: var(--page) }
body { margin: 0 auto; padding: 16px; max-width: 900px; color: var(--ink); font: 14px/1.5 -apple-system, 'Segoe UI', 'Noto Sans', 'Liberation Sans', sans-serif; overflow-wrap: break-word }
a { color: var(--link) } h1 { font-size: 24px; font-weight: 400; margin: 0 0 8px } h3 { font-size: 1.25em; margin: 20px 0 12px }
p, ul, ol, table, pre, details { margin: 0 0 14px } ul, ol { padding-left: 2em } .text > :first-child { margin-top: 0 } .text > :last-child { margin-bottom: 0 }
code, pre { font: 85% ui-monospace, 'DejaVu Sans Mono', monospace; background: var(--soft); border-radius: 6px } code { padding: .2em .4em }
pre { padding: 12px; overflow: auto } pre code { padding: 0; font-size: 100% }
table { display: block; overflow: auto; border-collapse: collapse; width: max-content; max-width: 100% } th, td { border: 1px solid var(--line); padding: 6px 13px }
sub { font-size: 75%; line-height: 0; position: relative; bottom: -.25em } em { color: inherit } summary { cursor: pointer }
.badge { display: inline-block; padding: 4px 12px; border-radius: 2em; color: #fff; background: #59636e; font-weight: 600; margin-bottom: 16px }
.post { display: flex; gap: 16px } .avatar { width: 40px; height: 40px; flex: none; border-radius: 8px; background: #1f6feb; color: #fff; font: 600 20px/40px 'Liberation Sans', sans-serif; text-align: center }
.box { flex: 1; min-width: 0; border: 1px solid var(--line); border-radius: 6px } .text { padding: 16px }
.head { padding: 8px 16px; background: var(--soft); border-bottom: 1px solid var(--line); border-radius: 6px 6px 0 0; color: var(--quiet) } .head b { color: var(--ink) }
.head i { font: 12px 'Liberation Sans', sans-serif; border: 1px solid var(--line); border-radius: 2em; padding: 0 6px }`;
