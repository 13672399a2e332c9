import { expect, test } from 'vitest';
import { commandRows } from '#src/sandbox/process-list.ts';

const keeper = [
  { pid: '4100', user: '65533', line: '/sbin/docker-init -- sleep 10800' },
  { pid: '4101', user: '65533', line: 'sleep 10800' },
];
const left = { pid: '4120', user: '65534', line: 'sleep 900' };

test('what commands have started is what the keeper of the container has not', () => {
  expect(commandRows([...keeper, left], '4100')).toEqual([left]);
  expect(commandRows(keeper, '4100')).toEqual([]);
});

test('a list without the processes that are always there is no list: a rootless engine without cgroups gives the init alone', () => {
  expect(commandRows(keeper.slice(0, 1), '4100')).toBeUndefined();
  expect(commandRows([], '4100')).toBeUndefined();
});

test("the host's own processes, which an engine shows for gVisor's containers, are never taken for what a command left", () => {
  const host = [
    { pid: '1', user: '0', line: '/sbin/init' },
    { pid: '7', user: '0', line: 'daemon --token secret' },
    ...keeper,
  ];
  expect(commandRows(host, '4100')).toBeUndefined();
  expect(commandRows(host.slice(0, 2), '4100')).toBeUndefined();
});
