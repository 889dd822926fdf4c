import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { flattenNodes } from '../../../ui/chart/picture/graph.ts';
import { countFarArrows, buildMachineGraph } from '../../../ui/chart/picture/buildMachineGraph.ts';
import { arrow, group, leaf } from '../../support/charts/chartNodes.ts';

const test = suite('ui chart: machine to graph');

const WORDING = { allEffects: false, bundled: false };

/**
 * Two groups; `a.x` leads to its neighbour, into the other group, and to its own group's border.
 */
const CHART = group('', 'a', [
  group('a', 'a.x', [
    leaf('a.x', [
      arrow('a.x#0', 'next', ['a.y'], { guard: 'isReady' }),
      arrow('a.x#1', 'far', ['b.z']),
      arrow('a.x#2', 'up', ['a']),
      arrow('a.x#3', 'note', []),
      arrow('a.x#4', 'again', ['a.x'], { reenter: true }),
    ]),
    leaf('a.y', [arrow('a.y#0', '', ['b'])]),
  ]),
  group('b', 'b.z', [leaf('b.z')]),
]);

test('every state is a box in the box of its parent, every initial one is led to from a mark (UI-3)', () => {
  const { nodes } = buildMachineGraph(CHART, WORDING);
  assert.equal(
    flattenNodes(nodes).map(({ id, kind }) => `${kind} ${id}`),
    [
      'start //start',
      'group a',
      'start a//start',
      'state a.x',
      'state a.y',
      'group b',
      'start b//start',
      'state b.z',
    ],
  );
});

test('an arrow is a line with event, guard and what it does; one that stays is counted in its state (UI-3)', () => {
  const { nodes, edges } = buildMachineGraph(CHART, WORDING);
  assert.equal(
    edges.map(({ id, ways }) => [
      id,
      ways.map(({ rows }) => rows.map(({ text }) => text).join(' ')).join('; '),
    ]),
    [
      ['//start->a', ''],
      ['a//start->a.x', ''],
      ['a.x->a.y', 'next [isReady]'],
      ['a.x->b.z', 'far'],
      ['a.x->a', 'up'],
      ['a.y->b', '[else]'],
      ['b//start->b.z', ''],
    ],
  );
  assert.equal(flattenNodes(nodes).find(({ id }) => id === 'a.x')?.rows, [
    { role: 'note', text: '2 internal events' },
  ]);
});

test('bundled, what crosses the border of a group is written into its state, and one line leads from group to group', () => {
  const { nodes, edges } = buildMachineGraph(CHART, { ...WORDING, bundled: true });
  const x = flattenNodes(nodes).find(({ id }) => id === 'a.x');
  assert.equal(x?.ways, [
    {
      arrow: 'a.x#1',
      rows: [
        { role: 'event', text: 'far' },
        { role: 'target', text: '→ z' },
      ],
    },
  ]);
  assert.equal(
    edges.filter(({ bundle }) => bundle.length > 0),
    [{ id: 'a=>b', source: 'a', target: 'b', ways: [], bundle: ['a.x#1', 'a.y#0'] }],
  );
  assert.equal(
    edges.filter(({ ways }) => ways.length > 0).map(({ id }) => id),
    ['a.x->a.y', 'a.x->a'],
  );
  assert.is(countFarArrows(CHART), 2);
});

test('ways of the same two states share a line, and no arrow is lost, whether bundled or not', () => {
  const chart = group('', 'p', [
    leaf('p', [arrow('p#0', 'e', ['q']), arrow('p#1', 'f', ['q'], { effects: ['session.open'] })]),
    leaf('q'),
  ]);
  const { edges } = buildMachineGraph(chart, WORDING);
  assert.equal(
    edges.map(({ id, ways }) => [id, ways.map(({ arrow: id }) => id)]),
    [
      ['//start->p', []],
      ['p->q', ['p#0', 'p#1']],
    ],
  );
  assert.equal(edges[1]?.ways[1]?.rows, [
    { role: 'event', text: 'f' },
    { role: 'effect', text: '/ session.open' },
  ]);
});

test('regions of a parallel state are boxes of their own, and arrows at the edge of the whole are drawn at its box', () => {
  const parallel = {
    ...group('', null, [
      group('left', 'left.on', [leaf('left.on')]),
      group('right', 'right.off', [leaf('right.off')]),
    ]),
    type: 'parallel' as const,
  };
  assert.equal(
    flattenNodes(buildMachineGraph(parallel, WORDING).nodes).map(({ id, kind }) => `${kind} ${id}`),
    [
      'group ',
      'region left',
      'start left//start',
      'state left.on',
      'region right',
      'start right//start',
      'state right.off',
    ],
  );
  const framed = {
    ...group('', 'p', [leaf('p'), leaf('q')]),
    arrows: [arrow('#0', 'stop', ['q'])],
  };
  const { nodes, edges } = buildMachineGraph(framed, WORDING);
  assert.equal(
    nodes.map(({ id }) => id),
    [''],
  );
  assert.ok(edges.some(({ source, target }) => source === '' && target === 'q'));
});

test('a chart that names a missing state is drawn without that arrow', () => {
  const chart = group('', 'gone', [leaf('p', [arrow('p#0', 'e', ['nowhere'])])]);
  assert.equal(buildMachineGraph(chart, WORDING).edges, []);
});

test.run();
