const fence = '```';

/** Issues as people write them: nothing in them is hidden from a reader. */
export const LEGITIMATE: Record<string, string> = {
  'a traceback in a code block': `Calling it fails:\n\n${fence}pytb\nTraceback (most recent call last):\n  File "<stdin>", line 1, in <module>\nValueError: bad\n${fence}\n\nI expected no error.`,
  'collapsed logs': `It hangs.\n\n<details>\n<summary>Full log</summary>\n\n${fence}\n12:01 start\n12:02 stuck\n${fence}\n\n</details>`,
  'collapsed logs without blank lines': '<details><summary>log</summary><pre>line 1\nline 2</pre></details>',
  'a pasted screenshot': 'See here:\n\n![image](https://github.com/user-attachments/assets/1b2c3d4e-0000)',
  'a screenshot with its size':
    '<img width="842" height="310" alt="Screenshot 2025-03-01 at 10 12 33 AM" src="https://github.com/user-attachments/assets/1b2c">',
  'a screenshot named in Korean':
    '화면입니다.\n\n![스크린샷 2025-03-01 오후 1.02.11](https://github.com/user-attachments/assets/1b2c)',
  'a family, a flag and a heart':
    'Wrong width for 👨‍👩‍👧‍👦 and 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} and ❤️ and 👩🏽‍💻 and 1️⃣ and ☎︎.',
  Arabic: 'النص يظهر معكوسًا عند استخدام `format()` مع الأرقام ‏12‏.',
  Hebrew: 'הטקסט מוצג הפוך.\n\nהפונקציה `reverse` לא עובדת.',
  'Persian with its joiners': 'وقتی می‌خواهم فایل را ذخیره کنم برنامه بسته می‌شود.',
  'Hindi with its joiners': 'क्‍ष और श्री का प्रदर्शन गलत है।',
  'names of another script in isolates': 'The user \u2068שרה\u2069 cannot log in.',
  'a table of versions': '| package | version |\n| --- | --- |\n| numpy | 1.26.4 |\n| python | 3.12 |',
  'a task list and a checklist': '### Checklist\n\n- [x] I searched the issues\n- [ ] I use the latest version\n',
  'answers of an issue form':
    '### What happened?\n\nIt crashed.\n\n### Version\n\n2.1.0\n\n### Relevant log output\n\n_No response_',
  'reference links': 'See [the docs][1] and [here].\n\n[1]: https://example.com/docs\n[here]: https://example.com/here',
  'a footnote': 'It fails on Windows[^1].\n\n[^1]: Windows 11, 23H2.',
  'generics without backticks':
    'A List<String> is returned where Map<String, List<Integer>> is expected, see <module>.',
  'a diff': `This patch helps:\n\n${fence}diff\n- return a\n+ return b\n${fence}`,
  'colours of a terminal': `${fence}console\n$ npm test\n\u001b[31mFAIL\u001b[0m test/a.test.js\n${fence}`,
  'an e-mail reply':
    'Thanks, still broken.\n\nOn Mon, 3 Mar 2025 at 10:00, Bob <bob@example.com> wrote:\n\n> Which version?\n> Please tell.',
  'keyboard keys and line breaks':
    'Press <kbd>Ctrl</kbd>+<kbd>C</kbd><br>then <kbd>Enter</kbd>.\n\nH<sub>2</sub>O and x<sup>2</sup>.',
  'a formula': 'The result of $\\frac{a}{b}$ should be $$\\sum_{i=0}^n i$$ for all n.',
  'a Mermaid diagram': `${fence}mermaid\ngraph TD;\n  A-->B;\n${fence}`,
  'a badge': '[![Build Status](https://img.shields.io/badge/build-passing-green)](https://ci.example.com)',
  'HTML pasted without a fence':
    '<div class="card" id="x"><p>Hello</p></div>\n\n<script src="a.js"></script> is not loaded.',
  'Windows line ends': 'Step 1\r\nStep 2\r\n\r\n- a\r\n- b\r\n',
  'code indented by four spaces': 'It fails:\n\n    def f():\n        return 1\n\nwith an error.',
};
