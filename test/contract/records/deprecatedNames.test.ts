import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RowChange } from '../../../src/contract/records/changes.ts';
import { DEPRECATED_NAMES } from '../../../src/base/settings/deprecatedNames.ts';
import { DeprecatedNames, listDeprecatedFields } from '../../../src/jobs/views/deprecatedNames.ts';
import { buildToolCatalogue } from '../../../src/executors/tools/catalogue/buildToolCatalogue.ts';

const test = suite('older names');

test('uses are counted by name, those of our own command line apart, and outlive the runner (RUN-7)', () => {
  const table = new Map<string, Record<string, unknown>>();
  const rows = { all: () => [...table.values()], count: () => table.size, one: () => undefined };
  const write = (changes: RowChange<'deprecated_uses'>[]) => {
    for (const change of changes)
      if (change.op === 'put') table.set(String(change.row.name), change.row);
  };
  let now = Date.UTC(2026, 0, 1);
  const open = () => new DeprecatedNames(rows as never, write, () => now);
  const names = open();
  names.noteUse('tool campaign_status');
  names.noteUse('path /jobs/:jobId/children', true);
  now += 1000;
  names.noteUse('path /jobs/:jobId/children');
  names.noteUse('path /jobs/:jobId/children', true);
  const expected = [
    {
      name: 'path /jobs/:jobId/children',
      instead: 'path /jobs/:jobId/sub-runs',
      uses: 1,
      ownUses: 2,
      lastUsedAt: '2026-01-01T00:00:01.000Z',
    },
    {
      name: 'tool campaign_status',
      instead: 'tool sub_run_status',
      uses: 1,
      ownUses: 0,
      lastUsedAt: '2026-01-01T00:00:00.000Z',
    },
  ];
  assert.equal(names.list(), expected);
  assert.equal(open().list(), expected);
});

test('every deprecated tool is counted (TOOL-5 RUN-7)', () => {
  const deprecated = [...buildToolCatalogue([]).values()]
    .filter((tool) => tool.deprecated === true)
    .map(({ name }) => `tool ${name}`);
  assert.equal(
    deprecated.toSorted(),
    Object.keys(DEPRECATED_NAMES)
      .filter((name) => name.startsWith('tool '))
      .toSorted(),
  );
});

test('older fields that a client sends are counted', () => {
  assert.equal(
    listDeprecatedFields({ campaignParentId: 'x', campaignChildren: [], repoSlug: 'shop' }),
    ['field campaignParentId', 'field campaignChildren'],
  );
});

test.run();
