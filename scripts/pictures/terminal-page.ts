import { escaped } from './github-page.ts';

const colors: Record<number, string> = {
  31: '#ff7b72',
  32: '#56d364',
  33: '#e3b341',
  35: '#d2a8ff',
  36: '#79c0ff',
};

/** What a program wrote to a terminal, colours and all, as a page that looks like one; `command` stands at its prompt. */
export function terminalPage(output: string, command?: string): string {
  const prompt = command === undefined ? '' : `<span class="dim">$</span> ${escaped(command)}\n`;
  return `<!doctype html><meta charset="utf-8"><title>Terminal</title><style>${style}</style>
<div class="window"><div class="bar"><i></i><i></i><i></i></div><pre>${prompt}${colored(output)}</pre></div>`;
}

/** Select Graphic Rendition alone (ECMA-48, 8.3.117); all else that moves a cursor has no place on a page. */
function colored(output: string): string {
  const look = { bold: false, dim: false, color: undefined as string | undefined };
  const parts = output.split('\u001b[').map((part, at) => {
    if (at === 0) return escaped(part);
    const end = part.search(/[A-Za-z]/);
    if (part[end] === 'm') for (const code of part.slice(0, end).split(';')) apply(look, Number(code));
    return spanned(look, part.slice(end + 1));
  });
  return parts.join('');
}

interface Look {
  bold: boolean;
  dim: boolean;
  color: string | undefined;
}

function apply(look: Look, code: number): void {
  if (code === 0 || code === 22) {
    look.bold = false;
    look.dim = false;
  }
  if (code === 0 || code === 39) look.color = undefined;
  if (code === 1) look.bold = true;
  if (code === 2) look.dim = true;
  look.color = colors[code] ?? look.color;
}

function spanned({ bold, dim, color }: Look, text: string): string {
  if (text === '') return '';
  const classes = [bold ? 'bold' : '', dim ? 'dim' : ''].join(' ').trim();
  return `<span class="${classes}"${color === undefined ? '' : ` style="color:${color}"`}>${escaped(text)}</span>`;
}

const style = `
html { background: #0d1117 } body { margin: 0; padding: 0 }
.window { color: #e6edf3; background: #0d1117; width: max-content; min-width: 100% }
.bar { display: flex; gap: 8px; padding: 12px 16px; background: #161b22 } .bar i { width: 12px; height: 12px; border-radius: 50%; background: #3d444d }
pre { margin: 0; padding: 12px 20px 20px; font: 13px/1.5 'DejaVu Sans Mono', ui-monospace, monospace } .bold { font-weight: 700 } .dim { color: #8b949e }`;
