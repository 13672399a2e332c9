import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../src/domain/ports/sandbox-host.ts';
import { host, never, run, specFor } from './sandbox-fixture.ts';

let sandbox: Sandbox;
const checkout = mkdtempSync(join(tmpdir(), 'checkout-'));
beforeAll(async () => {
  chmodSync(checkout, 0o755);
  writeFileSync(join(checkout, 'file.txt'), 'from the host\n');
  const mounts = [{ kind: 'bind' as const, source: checkout, target: '/repo', readOnly: true }];
  sandbox = await host.start(specFor('hardening', { mounts, workdir: '/repo' }), never);
});
afterAll(async () => {
  await sandbox.remove();
  rmSync(checkout, { recursive: true });
});

/** A system call by its number on x86-64; prints its result and its error. */
const systemCall = (number: number, ...args: number[]): string =>
  `python3 -c 'import ctypes; c = ctypes.CDLL(None, use_errno=True); print(c.syscall(${[number, ...args].join(', ')}), ctypes.get_errno())'`;

test('a command is nobody, without a capability or a way to one, and its system calls are filtered', async () => {
  const { output } = await run(sandbox, 'id -u; id -g; grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status');
  expect(output.replaceAll(/\s+/g, ' ')).toBe(
    '65534 65534 CapInh: 0000000000000000 CapPrm: 0000000000000000 CapEff: 0000000000000000 ' +
      'CapBnd: 0000000000000000 CapAmb: 0000000000000000 NoNewPrivs: 1 Seccomp: 2 ',
  );
});

test.runIf(process.arch === 'x64')('calls that reach wide into the kernel are refused', async () => {
  const calls = {
    io_uring_setup: systemCall(425, 1, 0),
    io_uring_enter: systemCall(426, 0),
    io_uring_register: systemCall(427, 0),
    bpf: systemCall(321, 0),
    perf_event_open: systemCall(298, 0),
    keyctl: systemCall(250, 0),
    add_key: systemCall(248, 0),
    userfaultfd: systemCall(323, 0),
    mount: systemCall(165, 0),
    setns: systemCall(308, 0),
    'unshare of a user namespace': systemCall(272, 0x10000000),
    'clone with a user namespace': systemCall(56, 0x10000011),
    open_by_handle_at: systemCall(304, 0),
    'socket of a virtual machine': systemCall(41, 40, 1),
    'socket of the kernel cryptography': systemCall(41, 38, 5),
  };
  for (const [name, command] of Object.entries(calls)) {
    expect([name, (await run(sandbox, command)).output]).toEqual([name, '-1 1\n']);
  }
});

test('programs that use many of the allowed calls work', async () => {
  const python = `import multiprocessing as m, threading, socket, asyncio, tempfile, mmap, subprocess
print(m.Pool(2).map(abs, [-1, -2])); a, b = socket.socketpair(); asyncio.run(asyncio.sleep(0)); mmap.mmap(-1, 4096)
s = socket.create_server(('127.0.0.1', 0)); print(subprocess.run(['true']).returncode)`;
  expect((await run(sandbox, `python3 -c "$CODE"`, { env: { CODE: python } })).output).toBe('[1, 2]\n0\n');
  const node =
    'new Worker("0", { eval: true }).on("exit", (code) => require("http").createServer().listen(0, () => process.exit(code)))';
  const { exitCode } = await run(sandbox, `node -e 'const { Worker } = require("worker_threads"); ${node}'`);
  expect(exitCode).toBe(0);
  const git =
    'git init -q /tmp/g && cd /tmp/g && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m m && git log --oneline | wc -l';
  expect((await run(sandbox, git)).output).toBe('1\n');
});

test('root in the container has no capability either', async () => {
  const { output } = await run(sandbox, 'id -u; grep CapEff /proc/self/status; echo x > /etc/passwd', { root: true });
  expect(output.replaceAll(/\s+/g, ' ')).toMatch(/^0 CapEff: 0{16} .*Read-only file system/);
});

test('root in the container cannot end the container, and what it leaves running is ended', async () => {
  const result = await run(sandbox, 'kill -9 -1; kill -9 1; setsid sleep 920 & echo tried', { root: true });
  expect(result.leftRunning).toContain('sleep 920');
  expect((await run(sandbox, 'ps -eo args | grep -c "[s]leep 920"')).output).toBe('0\n');
});

test('there is no network, not even a name server', async () => {
  const { output, exitCode } = await run(
    sandbox,
    'cut -d: -f1 /proc/net/dev | tail -n +3; timeout 3 bash -c "echo > /dev/tcp/1.1.1.1/80" 2>&1 | grep -m1 -o unreachable | head -n 1; getent hosts github.com',
  );
  expect(output.replaceAll(' ', '')).toBe('lo\nunreachable\n');
  expect(exitCode).toBe(2);
});

test('nothing outside of the temporary folders can be written, the checkout included', async () => {
  const { output } = await run(
    sandbox,
    'for f in /x /etc/x /usr/x /var/x /repo/x /repo/file.txt; do echo 1 2>&1 > $f; done; cat file.txt',
  );
  expect(output.match(/Read-only file system|Permission denied/g)).toHaveLength(6);
  expect(output.endsWith('from the host\n')).toBe(true);
});

test('programs can be built and run in the temporary folder and at home', async () => {
  const build = `cd $D && printf 'int main(void) { return 42; }' > a.c && gcc a.c -o a && ./a; echo $?`;
  for (const folder of ['/tmp', '/home/agent']) {
    expect((await run(sandbox, build, { env: { D: folder } })).output).toBe('42\n');
  }
});

test('no file system can be mounted and no namespace made', async () => {
  const { output } = await run(
    sandbox,
    'for c in "mount -t tmpfs none /mnt" "unshare -r -m true" "unshare -n true" "mknod /tmp/d b 254 0"; do $c 2>/dev/null && echo "$c worked"; done; echo end',
  );
  expect(output).toBe('end\n');
});

test('the main process can be neither traced, read nor ended', async () => {
  const script = `${systemCall(101, 16, 1, 0, 0)}; cat /proc/1/environ 2>/dev/null; ls /proc/1/root/ 2>/dev/null; kill -9 1 2>/dev/null; echo end`;
  expect((await run(sandbox, script)).output).toBe('-1 1\nend\n');
});

test('a setuid program gives nothing', async () => {
  const script =
    'cp /bin/bash /tmp/b && chmod 4755 /tmp/b && /tmp/b -p -c "id -u"; su -c "id -u" root 2>/dev/null; echo end';
  expect((await run(sandbox, script)).output).toBe('65534\nend\n');
});

test('no part of the host is within reach: its devices, its kernel log, its engine', async () => {
  const script =
    'for f in /proc/kcore /var/run/docker.sock /run/docker.sock /dev/mem /dev/sda /dev/vda /dev/kmsg; do head -c1 $f 2>/dev/null && echo "$f read"; done; echo x 2>/dev/null > /proc/sys/kernel/core_pattern && echo written; dmesg 2>/dev/null | head -1; echo end';
  expect((await run(sandbox, script)).output).toBe('end\n');
});

test('a command that takes more memory than there is ends, and the container goes on', async () => {
  const result = await run(sandbox, `python3 -c 'a = bytearray(3 << 30)'; echo code $?`);
  expect(result.output).toMatch(/code (137|1)\n$/);
  expect((await run(sandbox, 'echo fine')).output).toBe('fine\n');
});

test('the temporary folder ends at its size', async () => {
  const { output } = await run(sandbox, 'head -c 1G /dev/zero > /tmp/big 2>/dev/null; du -m /tmp/big; rm /tmp/big');
  expect(output).toMatch(/^6[0-4]\t/);
});

test('there are no core dumps, and a limit on open files', async () => {
  expect((await run(sandbox, 'ulimit -c; ulimit -Hc; ulimit -Hn')).output).toBe('0\n0\n16384\n');
});
