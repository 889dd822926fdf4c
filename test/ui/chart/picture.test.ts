import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packWayLines } from '../../../ui/chart/picture/arrowText.ts';
import { buildStateFamily } from '../../../ui/chart/picture/buildStateFamily.ts';
import { listPlacedItems } from '../../../ui/chart/chartItems.ts';
import { findTurnedEdges } from '../../../ui/chart/picture/buildLayoutInput.ts';
import { buildMachineGraph } from '../../../ui/chart/picture/buildMachineGraph.ts';
import { findItemAfterKey, findNeighbour } from '../../../ui/chart/findNeighbour.ts';
import { drawArrowHead, drawRoundedPath } from '../../../ui/chart/picture/drawRoundedPath.ts';
import {
  computeFirstScale,
  computeFitScale,
  scrollToKeep,
  scrollToMiddle,
  findNextScale,
} from '../../../ui/chart/viewport.ts';
import { arrow, group, leaf } from '../../support/charts/chartNodes.ts';
import { drawGraph } from '../../support/browser/drawingChecks.ts';

const test = suite('ui chart: picture');

const CHART = group('', 'a', [
  group('a', 'a.x', [
    leaf('a.x', [arrow('a.x#0', 'next', ['a.y'])]),
    leaf('a.y', [arrow('a.y#0', 'back', ['a.x'])]),
  ]),
  leaf('b', [arrow('b#0', 'go', ['a.x'])]),
]);

test('corners are rounded, by less where a side is short', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 0, y: 40 },
    { x: 10, y: 40 },
    { x: 10, y: 80 },
  ];
  assert.is(drawRoundedPath(points, 8), 'M0 0L0 35Q0 40 5 40L5 40Q10 40 10 45L10 80');
  assert.is(drawRoundedPath([], 8), '');
});

test('the head of an arrow points along the last part of its line, its tip at the end', () => {
  assert.is(
    drawArrowHead([
      { x: 0, y: 0 },
      { x: 0, y: 40 },
    ]),
    'M4.5 31L0 40L-4.5 31Z',
  );
  assert.is(drawArrowHead([{ x: 1, y: 1 }]), '');
});

test('lines that lead to what is declared before are known as such: they are laid out turned round', () => {
  const graph = buildMachineGraph(CHART, { allEffects: false, bundled: false });
  assert.equal([...findTurnedEdges(graph)], ['a.y->a.x', 'b->a.x']);
});

test('event, guard and target share a line while it is short; effects have lines of their own', () => {
  const rows = [
    { role: 'event' as const, text: 'job.resume' },
    { role: 'guard' as const, text: '[isFine]' },
    { role: 'target' as const, text: '→ queued and waiting' },
    { role: 'effect' as const, text: '/ x' },
  ];
  assert.equal(
    packWayLines(rows).map((line) => line.map(({ text }) => text)),
    [['job.resume', '[isFine]'], ['→ queued and waiting'], ['/ x']],
  );
});

test('the borders that an arrow crosses are those below what holds both of its ends', () => {
  const family = buildStateFamily(
    group('', 'a', [
      group('a', 'a.x', [leaf('a.x'), leaf('a.y')]),
      group('b', 'b.z', [leaf('b.z')]),
    ]),
  );
  assert.equal(family.borderBetween('a.x', 'b.z'), { from: 'a', to: 'b' });
  assert.is(family.borderBetween('a.x', 'a.y'), null);
  assert.is(family.borderBetween('a.x', 'a'), null);
  assert.equal(family.borderBetween('a', 'b.z'), { from: 'a', to: 'b' });
  assert.equal(family.listChain('a.x'), ['a.x', 'a', '']);
});

test('what can be chosen is read box by box, each with the ways that leave it; start marks are left out', async () => {
  const items = listPlacedItems(
    await drawGraph(buildMachineGraph(CHART, { allEffects: false, bundled: true })),
  );
  assert.equal(
    items.map(({ kind, id }) => `${kind} ${id}`),
    ['box a', 'box a.x', 'way a.x#0', 'box a.y', 'way a.y#0', 'box b', 'way b#0'],
  );
});

test('arrow keys move to the nearest item that way; Home, End and the page keys along the order of reading (UI-3)', () => {
  const at = (id: string, x: number, y: number) => ({
    kind: 'box' as const,
    id,
    place: { x, y, width: 10, height: 10 },
  });
  const [a, b, c, d] = [at('a', 0, 0), at('b', 100, 5), at('c', 10, 100), at('d', 300, 0)];
  const items = [a, b, c, d];
  assert.is(findNeighbour(items, a, 'right'), b);
  assert.is(findNeighbour(items, a, 'down'), c);
  assert.is(findNeighbour(items, a, 'up'), undefined);
  const keys = ['ArrowRight', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp', 'x'];
  assert.equal(
    keys.map((key) => findItemAfterKey(items, b, key)?.id),
    ['d', 'a', 'a', 'd', 'c', 'a', undefined],
  );
  assert.is(findItemAfterKey(items, d, 'ArrowRight'), d);
});

test('zoom keeps the point under the pointer, steps through its scales, and begins where text can be read', () => {
  assert.equal(scrollToKeep({ x: 100, y: 50 }, { x: 10, y: 20 }, 1, 2), { x: 210, y: 120 });
  assert.equal(
    scrollToMiddle({ x: 100, y: 100, width: 50, height: 20 }, { width: 200, height: 100 }, 2),
    { x: 150, y: 170 },
  );
  assert.equal(findNextScale(1, 1), 1.15);
  assert.equal(findNextScale(1, -1), 0.9);
  assert.equal(findNextScale(3, 1), 3);
  assert.equal(findNextScale(0.97, 1), 1);
  const view = { width: 600, height: 400 };
  assert.is(computeFitScale({ width: 1200, height: 400 }, view), 0.5);
  assert.is(computeFitScale({ width: 60, height: 40 }, view), 1);
  assert.is(computeFirstScale({ width: 3000, height: 400 }, view), 0.8);
  assert.is(computeFirstScale({ width: 300, height: 400 }, view), 1);
});

test.run();
