import { LedgerlineError } from '../support/errors.js';
import { exportCsv } from './csv.js';
import { exportJson } from './json.js';
import { exportMarkdown } from './markdown.js';

/**
 * A set of exporters by name. An exporter is a function from a statement and
 * its options to text.
 */
export function createExporters() {
  const exporters = new Map([
    ['csv', exportCsv],
    ['json', exportJson],
    ['markdown', exportMarkdown],
  ]);

  return {
    names: () => [...exporters.keys()].sort(),

    register(name, exporter) {
      const key = normalized(name);
      if (exporters.has(key)) {
        throw new LedgerlineError('duplicate-exporter', `There is already an exporter "${key}"`);
      }
      exporters.set(key, exporter);
    },

    /** @returns {string} */
    run(name, statement, options) {
      const exporter = exporters.get(normalized(name));
      if (exporter === undefined) {
        throw new LedgerlineError('unknown-exporter', `No exporter "${name}"; there is ${this.names().join(', ')}`);
      }
      return exporter(statement, options);
    },
  };
}

function normalized(name) {
  return String(name).trim().toLowerCase();
}
