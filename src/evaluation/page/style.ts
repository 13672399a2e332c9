/** The page's style sheet: no font, image or script from elsewhere; light and dark as the reader's system says. */
export const STYLE = `
:root { color-scheme: light dark; --ground: #fbfaf7; --sheet: #ffffff; --ink: #1d2126; --soft: #5c6570; --line: #dcdad3; --accent: #1c5fa8; --good: #1f7a4d; --bad: #b3362b; --warn: #fff4d6; --p0: #1c5fa8; --p1: #8fb8e3; --p2: #d99a2b; --p3: #f0cf8f; --p4: #4d8c6f; --p5: #a9cfbc; --p6: #8a5a9e; --p7: #cdb0d9; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171b; --sheet: #1b1f25; --ink: #e6e8ea; --soft: #9aa4af; --line: #343b44; --accent: #7db4f0; --good: #6cc898; --bad: #f0877c; --warn: #3a3018; --p0: #7db4f0; --p1: #34648f; --p2: #e0ad55; --p3: #8a6524; --p4: #6fb594; --p5: #34604d; --p6: #c095d4; --p7: #664378; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.55 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 28px 20px 80px; }
h1 { font-size: 27px; line-height: 1.2; margin: 0 0 6px; } h2 { font-size: 20px; margin: 40px 0 10px; } h3 { font-size: 16px; margin: 0 0 8px; }
p { margin: 0 0 12px; max-width: 76ch; } .soft, figcaption { color: var(--soft); } figcaption { font-size: 13.5px; margin: 6px 0 4px; max-width: 76ch; }
.note { background: var(--warn); border-left: 4px solid var(--p2); padding: 10px 14px; border-radius: 3px; }
figure, .card { margin: 0 0 18px; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: 16px 18px; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(480px, 100%), 1fr)); gap: 18px; align-items: start; } .figures figure { margin: 0; }
svg { width: 100%; height: auto; display: block; font: 12.5px system-ui, sans-serif; }
svg text { fill: var(--ink); } svg .tick, svg .axis { fill: var(--soft); } svg .halo { paint-order: stroke; stroke: var(--sheet); stroke-width: 4px; }
svg .grid { stroke: var(--line); stroke-width: 1; } svg .interval { stroke: var(--accent); stroke-width: 1.8; opacity: .65; } svg .dot { fill: var(--accent); stroke: var(--sheet); stroke-width: 1.5; } svg .line { fill: none; stroke: var(--accent); stroke-width: 1.8; }
${[0, 1, 2, 3, 4, 5, 6, 7].map((part) => `.part-${part} { fill: var(--p${part}); }`).join(' ')}
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 13.5px; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; } thead th { color: var(--soft); font-weight: 600; } tbody th { font-weight: 500; white-space: nowrap; } tr.group th { padding-top: 16px; color: var(--soft); font-weight: 600; }
details > summary { cursor: pointer; } summary:hover { color: var(--accent); } figure details { font-size: 13.5px; }
a { color: var(--accent); } code, pre { font: 12.5px/1.5 ui-monospace, monospace; } code { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 4px 0 10px; padding: 8px 10px; background: var(--ground); border: 1px solid var(--line); border-radius: 5px; max-height: 420px; overflow-y: auto; }
.instance { margin: 0 0 8px; padding: 10px 14px; } .instance > summary { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: baseline; } .run { margin: 12px 0 0; padding: 10px 0 0; border-top: 1px solid var(--line); } .run h4, .run h5 { margin: 10px 0 4px; font-size: 14px; }
.chip { font-size: 12.5px; white-space: nowrap; } .yes { color: var(--good); } .no { color: var(--bad); } .step { margin: 0 0 4px; } .step > summary { font-size: 13px; }
:target { outline: 2px solid var(--accent); outline-offset: 3px; }
`;

/** Opens what a link inside the page points at. */
export const SCRIPT = `
const open = () => { for (let at = document.getElementById(decodeURIComponent(location.hash.slice(1))); at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true; };
addEventListener('hashchange', open); open();
`;
