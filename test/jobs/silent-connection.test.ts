import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openPostgresDatabase } from '#src/jobs/postgres-database.ts';
import { startCluster } from './support/postgres.ts';

/** A network between Fathom and its PostgreSQL, which can swallow what is sent over the connections that there are. */
async function network() {
  const cluster = startCluster();
  onTestFinished(() => cluster.remove());
  const folder = new URL(cluster.url).searchParams.get('host') ?? '';
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const other = connect(join(folder, '.s.PGSQL.5432'));
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return {
    url: `postgresql://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    swallow: () => {
      for (const socket of open) socket.unpipe().pause();
      open.clear();
    },
  };
}

async function database() {
  const between = await network();
  const opened = await openPostgresDatabase(between.url, () => undefined, 0.5);
  onTestFinished(() => opened.close());
  return { ...between, opened };
}

it('work goes on over another connection when the one to PostgreSQL falls silent', async () => {
  const { opened, swallow } = await database();
  expect(await opened.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  swallow();
  expect(await opened.query('SELECT 2 AS two')).toEqual([{ two: 2 }]);
});

it('a transaction whose connection falls silent is begun again on another one', async () => {
  const { opened, swallow } = await database();
  await opened.query('CREATE TABLE line (n int)');
  let tries = 0;
  await opened.transaction(async (sql) => {
    tries += 1;
    await sql.query('INSERT INTO line VALUES ($1)', [tries]);
    if (tries === 1) swallow();
    await sql.query('SELECT 1');
  });
  expect(await opened.query('SELECT n FROM line')).toEqual([{ n: 2 }]);
});
