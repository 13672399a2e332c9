import { expect, test } from 'vitest';
import { readerOf } from './trees.ts';

test('issue templates are found wherever GitHub looks for them, and nowhere else', () => {
  const reader = readerOf({
    '.github/ISSUE_TEMPLATE/bug.md': 'bug',
    '.github/ISSUE_TEMPLATE/form.yml': 'form',
    '.github/issue_template.md': 'old',
    'docs/ISSUE_TEMPLATE.md': 'docs',
    'ISSUE_TEMPLATE.md': 'root',
    'src/ISSUE_TEMPLATE.md': 'no',
    'ISSUE_TEMPLATE/deep/no.md': 'no',
  });
  expect(reader.issueTemplates().sort()).toEqual(['bug', 'docs', 'old', 'root']);
});
