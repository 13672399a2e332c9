import { type Html, html } from './html.ts';

export interface Table {
  heads: string[];
  rows: (string | Html)[][];
}

/** A plot with what it shows in words, and the table behind it. */
export function figure(title: string, caption: string, plot: Html, behind: Table): Html {
  return html`<figure>
<h3>${title}</h3>
${plot}
<figcaption>${caption}</figcaption>
<details><summary>The table behind it</summary>${table(behind)}</details>
</figure>`;
}

/** The first column names the row. */
export function table({ heads, rows }: Table): Html {
  return html`<div class="wide"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(row)}</tbody></table></div>`;
}

function row([name = '', ...values]: (string | Html)[]): Html {
  return html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td>${value}</td>`)}</tr>
`;
}

/** An SVG that scales with the page, with a text for those who do not see it. */
export const svg = (width: number, height: number, about: string, content: Html[]): Html =>
  html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${about}">${content}</svg>`;
