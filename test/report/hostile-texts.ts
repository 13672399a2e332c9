/** Texts that a model, an issue or a repository could hold, by what they try. */
export const hostile: Record<string, string> = {
  pings:
    'Ask @alice, (@acme/team) and mail bob@example.com; see @[carol](x), @<b>dave</b>, &#64;erin, \\@frank, @![gina](y).',
  'closing keywords':
    'This fixes #1, closes acme/widget#2, resolves GH-3 and fixes https://github.com/acme/widget/issues/4',
  'references hidden by markup': 'fixes [#](x)5 and #*6* and [#7][r] and #<!-- -->8\n\n[r]: http://x.example',
  images:
    '![a](https://evil.example/a.png) <img src="https://evil.example/b.png"> [![c](//evil.example/c.png)](https://evil.example)\n\n![r][ref]\n\n[ref]: https://evil.example/d.png',
  'raw HTML':
    '<script>alert(1)</script>\n\n<details open><summary>x</summary>\n\n</details></details>\n\n<div style="display:none">hidden</div>\n\n<a href="https://evil.example">click</a><!-- hidden -->',
  'open tags': '</details></summary></sub></td></table><details><!--',
  links:
    '[click](https://evil.example "title") <https://evil.example> https://evil.example www.evil.example [x](javascript:alert(1)) http:\\/\\/evil.example ftp://evil.example',
  'table pipes': 'a | b | c\n|---|---|---|\n| `x|y` | \\| | z |\nd || e',
  'an address made of an angle bracket and a code span': '<!--@alice>@alice and <`b@alice>` and <`c@evil.example`>',
  backticks: '`a ``b``` c```` ` `` ``` and `````\n```js\nunclosed\n````\n@alice',
  fences: '````\n```\n</details>\n@alice\n````\n~~~mermaid\ngraph TD; click A "https://evil.example"\n~~~',
  'headings and rules': '# Diagnosis\n===\n---\n***\n> [!WARNING]\n> quoted\n\n- [ ] task\n\nTerm[^1]\n\n[^1]: note',
  controls: 'a\u202Eb\u2066c\u200Dd\u200Be\u0000f\u001b[31mg\u001b]0;title\u0007h\u{E0041}\u{E0042}i\u009b1mj\ufeffk',
  'invisible letters':
    'pass\u00adword @\ufe0falice #\u00ad12 \u3164 x\u034fy\u115f\u180e \u{e0100}\ufe00\ufe01 no\u200dne\ufff9\u2800',
  'right to left': 'שלום עולם \u202Efdp.exe\u202C مرحبا',
  'broken surrogates': 'a\ud800b\udc00c',
  formulas: 'costs $HOME and $x$ and $$y$$ and $`z`$',
  emoji: 'see src/a.py:100:5 and :tada:',
  nesting: `${'>'.repeat(5_000)} ${'- '.repeat(3_000)}x`,
  emphasis: '*a_ '.repeat(3_000),
  brackets: '['.repeat(8_000),
  length: 'word @alice fixes #1 '.repeat(5_000),
  'one word': 'x'.repeat(100_000),
  'code that never ends': `\`\`\`\n${'line\n'.repeat(20_000)}`,
  'white space': ' \n\t \n',
};
