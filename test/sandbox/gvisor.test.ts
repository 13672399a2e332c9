import { expect, test } from 'vitest';
import { forwarderRuntime, isGVisor, limitsUnderGVisor } from '#src/sandbox/gvisor.ts';
import { DEFAULT_LIMITS } from '#src/sandbox/limits.ts';

const engine = {
  DefaultRuntime: 'runc',
  Runtimes: {
    runc: { path: 'runc' },
    runsc: { path: '/usr/bin/runsc' },
    strict: { path: '/opt/runsc-2023' },
    crun: {},
  },
};

test('gVisor is known by the program behind a name, chosen or default', () => {
  expect(isGVisor(engine, 'runsc')).toBe(true);
  expect(isGVisor(engine, 'strict')).toBe(true);
  expect(isGVisor(engine, 'io.containerd.runsc.v1')).toBe(true);
  expect(isGVisor({ ...engine, DefaultRuntime: 'runsc' }, undefined)).toBe(true);
  expect(isGVisor(engine, undefined)).toBe(false);
  expect(isGVisor(engine, 'crun')).toBe(false);
  expect(isGVisor({}, undefined)).toBe(false);
});

test('under gVisor a container has room for the threads that stand behind its processes, and no other limit changes', () => {
  const limits = limitsUnderGVisor(DEFAULT_LIMITS);
  expect(limits.pids).toBeGreaterThan(8 * DEFAULT_LIMITS.pids);
  expect({ ...limits, pids: DEFAULT_LIMITS.pids }).toEqual(DEFAULT_LIMITS);
});

test("what hands a set-up's connections on does not run with gVisor, which would not let it", () => {
  expect(forwarderRuntime(engine, 'runsc')).toBe('runc');
  expect(forwarderRuntime({ ...engine, DefaultRuntime: 'runsc' }, undefined)).toBe('runc');
  expect(forwarderRuntime(engine, undefined)).toBeUndefined();
  expect(forwarderRuntime({ Runtimes: { runsc: {} } }, 'runsc')).toBe('runsc');
});
