import { describe, expect, it } from 'vitest';
import { implicitToolCall } from '#src/agents/recoveries/implicit-tool-call.ts';

const tools = ['shell', 'view_file', 'submit_answer'];
const fits = (name: string, args: unknown): boolean => {
  const fields = args as Record<string, unknown>;
  if (name === 'shell') return typeof fields['command'] === 'string' && fields['command'] !== '';
  return name === 'view_file' && typeof fields['path'] === 'string';
};
const found = (text: string) => implicitToolCall(text, tools, fits);

describe('a call that a model wrote into its text', () => {
  const shell = { name: 'shell', args: { command: 'ls src' } };

  it.each([
    ['as bare JSON', '{"name": "shell", "arguments": {"command": "ls src"}}'],
    ['in a fence, after a thought', 'Let me see.\n```json\n{"name": "shell", "arguments": {"command": "ls src"}}\n```'],
    ['in an unclosed block', '<tool_call>\n{"name": "shell", "arguments": {"command": "ls src"}}'],
    ['with other keys', '{"tool": "shell", "parameters": {"command": "ls src"}}'],
    ['with arguments as a string', '{"name": "shell", "arguments": "{\\"command\\": \\"ls src\\"}"}'],
    ['as OpenAI writes it', '{"type": "function", "function": {"name": "shell", "arguments": {"command": "ls src"}}}'],
    ['as a list of one', '[{"name": "shell", "arguments": {"command": "ls src"}}]'],
    ['as a function', 'shell({"command": "ls src"})'],
    ['in a tag of its name', '<shell>{"command": "ls src"}</shell>'],
    ['in tags for its arguments', '<shell>\n<command>\nls src\n</command>\n</shell>'],
    ['in the tags of Qwen Coder', '<function=shell>\n<parameter=command>\nls src\n</parameter>\n</function>'],
    ['as a shell block', 'Look at the files:\n```bash\nls src\n```'],
    ['twice the same', '{"name": "shell", "arguments": {"command": "ls src"}}\n```bash\nls src\n```'],
    ['with a comma too many', '{"name": "shell", "arguments": {"command": "ls src",},}'],
  ])('is understood %s', (_, text) => {
    expect(found(text)).toMatchObject(shell);
  });

  it('is understood with raw line breaks in its strings', () => {
    expect(found('{"name": "shell", "arguments": {"command": "cat <<EOF\na\nEOF"}}')?.args).toEqual({
      command: 'cat <<EOF\na\nEOF',
    });
  });

  it.each([
    ['two different ones', '```bash\nls\n```\nor\n```bash\npwd\n```\n'],
    [
      'different tools',
      '{"name": "shell", "arguments": {"command": "ls"}} {"name": "view_file", "arguments": {"path": "a"}}',
    ],
    ['an unknown tool', '{"name": "python", "arguments": {"command": "ls"}}'],
    ['arguments that do not fit', '{"name": "shell", "arguments": {"cmd": "ls"}}'],
    ['plain text', 'I would run ls in src and look at the shell.'],
    ['JSON that is something else', '{"name": "fathom", "version": "1.0.0"}'],
    ['half a call', '{"name": "shell", "arguments": {"command": "ls'],
  ])('is not guessed from %s', (_, text) => {
    expect(found(text)).toBeUndefined();
  });

  it('takes no time over hostile text', () => {
    for (const text of ['{'.repeat(200_000), '<'.repeat(200_000), '<shell>'.repeat(30_000), '"{[\\'.repeat(50_000)]) {
      expect(found(text)).toBeUndefined();
    }
  });
});
