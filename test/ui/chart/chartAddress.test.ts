import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readChartAddress, writeChartAddress } from '../../../ui/chart/chartAddress.ts';

const test = suite('chart: the view in the address of a page');

test('a selected state and a zoom come back from the address that they made (UI-3)', () => {
  const view = { selected: { kind: 'box', id: 'coding' }, scale: 0.8, extras: [] } as const;
  const hash = writeChartAddress('#/workflows/workflows/job.md', view);
  assert.is(hash, '#/workflows/workflows/job.md?at=coding&zoom=80');
  assert.equal(readChartAddress(hash), view);
});

test('an arrow is named as one, and other members of the query stay (UI-3)', () => {
  const view = { selected: { kind: 'way', id: 'work:0?&' }, scale: null, extras: [] } as const;
  const hash = writeChartAddress('#/machines?x=1&at=old&zoom=50', view);
  assert.equal(readChartAddress(hash), view);
  assert.match(hash, /^#\/machines\?x=1&arrow=/);
  assert.is(writeChartAddress(hash, { selected: null, scale: null, extras: [] }), '#/machines?x=1');
});

test('what is shown on demand is in the address, in one order; unknown names are left out (UI-3)', () => {
  const view = { selected: null, scale: null, extras: ['runs', 'limits'] } as const;
  const hash = writeChartAddress('#/machines', view);
  assert.is(hash, '#/machines?show=limits+runs');
  assert.equal(readChartAddress(hash).extras, ['limits', 'runs']);
  assert.equal(readChartAddress('#/machines?show=runs+all').extras, ['runs']);
});

for (const zoom of ['', 'much', '0', '-5', '100000', 'NaN'])
  test(`a zoom of "${zoom}" is none (UI-3)`, () => {
    assert.is(readChartAddress(`#/machines?zoom=${zoom}`).scale, null);
  });

test.run();
