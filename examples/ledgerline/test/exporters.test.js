import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBook, createExporters } from '../src/index.js';

const now = () => new Date('2026-05-01T08:00:00Z');

test('CSV has a row for each charge and the total last', () => {
  assert.equal(
    createExporters().run('csv', statement()),
    [
      'subscription,plan,from,until,prorated,amount,currency',
      'crm,"CRM, large",2026-04-21,2026-05-01,yes,10.00,EUR',
      'van,"Van ""blue""",2026-04-01,2026-05-01,no,1234.50,EUR',
      'TOTAL,,2026-04-01,2026-05-01,,1244.50,EUR',
      '',
    ].join('\r\n'),
  );
});

test('CSV can be written for spreadsheets that expect a semicolon', () => {
  const [, first] = createExporters().run('csv', statement(), { delimiter: ';', decimal: ',' }).split('\r\n');
  assert.equal(first, 'crm;CRM, large;2026-04-21;2026-05-01;yes;10,00;EUR');
});

test('JSON leaves out texts and flags that are not set', () => {
  const document = JSON.parse(createExporters().run('json', statement()));
  assert.deepEqual(document, {
    account: 'Acme',
    currency: 'EUR',
    window: { from: '2026-04-01', until: '2026-05-01' },
    issued: '2026-05-01',
    due: '2026-05-31',
    total: 124_450,
    charges: [
      {
        subscription: 'crm',
        plan: 'CRM, large',
        from: '2026-04-21',
        until: '2026-05-01',
        prorated: true,
        amount: 1000,
      },
      { subscription: 'van', plan: 'Van "blue"', from: '2026-04-01', until: '2026-05-01', amount: 123_450 },
    ],
  });
});

test('JSON keeps a total of zero', () => {
  const document = JSON.parse(createExporters().run('json', createBook({ now }).statement('2026-04')));
  assert.equal(document.total, 0);
  assert.deepEqual(document.charges, []);
});

test('Markdown has a line for each subscription', () => {
  assert.equal(
    createExporters().run('markdown', statement({ memo: 'Thank *you*' })),
    [
      '# Statement 2026-04-01 to 2026-05-01',
      '',
      'Thank \\*you\\*',
      '',
      '| Plan | Amount |',
      '| --- | ---: |',
      '| CRM, large | € 10.00 |',
      '| Van "blue" | € 1234.50 |',
      '| **Total** | **€ 1244.50** |',
      '',
      'Issued 2026-05-01, due 2026-05-31.',
      '',
    ].join('\n'),
  );
});

test('exporters are found in any case, and others can be added', () => {
  const exporters = createExporters();
  exporters.register('Total', ({ total }) => String(total.minor));
  assert.deepEqual(exporters.names(), ['csv', 'json', 'markdown', 'total']);
  assert.equal(exporters.run(' TOTAL ', statement()), '124450');
});

test('an exporter is neither replaced nor guessed', () => {
  const exporters = createExporters();
  assert.throws(() => exporters.register('CSV', () => ''), { code: 'duplicate-exporter' });
  assert.throws(() => exporters.run('pdf', statement()), { code: 'unknown-exporter' });
});

function statement(options) {
  const book = createBook({ name: 'Acme', now });
  book.subscribe({ id: 'crm', plan: 'CRM, large', price: '30.00', every: 'monthly on the 1st', start: '2026-04-21' });
  book.subscribe({ id: 'van', plan: 'Van "blue"', price: '1234.50', every: 'monthly', start: '2026-03-01' });
  return book.statement('2026-04', options);
}
