import { Ansis } from 'ansis';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { drawCampaignGraph, type DrawnSubRun } from '../../cli/render/job/drawCampaignGraph.ts';
import {
  type GraphNode,
  drawGraphLanes,
  computeNodeLevels,
  NODE_CELL,
} from '../../cli/render/job/drawGraphLanes.ts';
import { Chance } from '../sim/chance.ts';

const test = suite('campaign graph');

const plain = { color: new Ansis(0), columns: 0 };

/** `name: those it waits for`, a line each. */
const parseGraph = (text: string): GraphNode[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', waits = ''] = line.trim().split(/:\s*/);
      return { name, dependsOn: waits.split(' ').filter(Boolean) };
    });

const drawSubRun = (node: GraphNode, changes: Partial<DrawnSubRun> = {}): DrawnSubRun => ({
  ...node,
  status: 'pending',
  attempt: 1,
  reason: null,
  waitsFor: null,
  ...changes,
});

/** The picture alone, with the names behind it. */
const picture = (text: string): string =>
  `\n${(drawGraphLanes(parseGraph(text)) ?? []).map(({ node, cells }) => `${cells.padEnd(8)}${node.name}\n`).join('')}`;

test('a chain goes straight down', () => {
  assert.is(
    picture('a\nb: a\nc: b'),
    `
*       a
*       b
*       c
`,
  );
});

test('a diamond with a tail (CLI-3)', () => {
  assert.is(
    picture('a\nb: a\nc: a\nd: b c\ne: d'),
    `
*       a
├─*     b
* │     c
*─╯     d
*       e
`,
  );
});

test('a line that is crossed looks different from one that is joined', () => {
  assert.is(
    picture('a\nb\nc\nd: a c\ne: b\nf: a d e'),
    `
*       a
│ *     b
│ │ *   c
├─│─*   d
│ * │   e
*─┴─╯   f
`,
  );
});

test('no node is directly below one that it does not wait for', () => {
  assert.is(
    picture('a\nb: a\nc\nd: c'),
    `
*       a
│ *     c
* │     b
  *     d
`,
  );
});

test('levels: one below the deepest that is waited for; a cycle ends the count and unknown names are no reason to wait', () => {
  assert.equal(
    Object.fromEntries(computeNodeLevels(parseGraph('a\nb: a\nc: a b\nd: nowhere\nx: y\ny: x'))),
    {
      a: 0,
      d: 0,
      b: 1,
      c: 2,
      x: 3,
      y: 3,
    },
  );
});

/** Reads a picture back: who is joined to whom. */
function edgesIn(rows: readonly { node: GraphNode; cells: string }[]): string[] {
  const edges: string[] = [];
  let lanes: (string | null)[] = [];
  for (const { node, cells } of rows) {
    const at = (column: number) => cells[column * 2] ?? ' ';
    const own = cells.indexOf(NODE_CELL) / 2;
    const from = lanes[own] ? [own] : [];
    for (const step of [-1, 1]) {
      for (let column = own; cells[column * 2 + step] === '─'; column += step)
        if (!'│─'.includes(at(column + step))) from.push(column + step);
    }
    edges.push(...from.map((column) => `${node.name}: ${lanes[column]}`));
    const columns = Math.ceil(cells.length / 2);
    lanes = Array.from({ length: columns }, (_, column) =>
      column === own ? node.name : '│├┼┤'.includes(at(column)) ? (lanes[column] ?? null) : null,
    );
  }
  return edges;
}

test('2,000 random graphs: reading the lines gives back exactly the dependencies', () => {
  let [read, tooWide] = [0, 0];
  for (let seed = 1; seed <= 2_000; seed++) {
    const chance = new Chance(`graph ${seed}`);
    const nodes = Array.from({ length: chance.int(2, 21) }, (_, n): GraphNode => {
      const dependsOn = new Set(
        Array.from({ length: n === 0 ? 0 : chance.int(0, 3) }, () => `n${chance.int(0, n - 1)}`),
      );
      return { name: `n${n}`, dependsOn: [...dependsOn] };
    });
    const rows = drawGraphLanes(nodes);
    if (rows === null) tooWide++;
    else {
      read++;
      const expected = nodes.flatMap(({ name, dependsOn }) =>
        dependsOn.map((other) => `${name}: ${other}`),
      );
      assert.equal(edgesIn(rows).sort(), expected.sort(), `seed ${seed}`);
      assert.equal(
        rows.map(({ node }) => computeNodeLevels(nodes).get(node.name)),
        [...computeNodeLevels(nodes).values()].sort((a, b) => a - b),
        `seed ${seed}: level by level`,
      );
    }
  }
  assert.ok(read > 1_500, `${read} were read, ${tooWide} were too wide`);
});

test('every status has a sign; names, statuses and notes are in columns (CLI-3)', () => {
  const nodes = parseGraph(
    'schema\napi: schema\nweb: schema\nglue: api web\ndocs: glue\nextra\nold: extra',
  );
  const changes: Partial<DrawnSubRun>[] = [
    { status: 'complete' },
    { status: 'dispatched', waitsFor: 'for its job, which is coding', attempt: 2 },
    { status: 'failed', reason: 'the \u001B[31mbuild\nbroke' },
    { status: 'pending', waitsFor: 'for web (failed)' },
    { status: 'ready', waitsFor: 'for its turn' },
    { status: 'skipped', reason: 'not needed' },
    { status: 'escalated', reason: 'who knows' },
  ];
  assert.is(
    `\n${drawCampaignGraph(
      nodes.map((node, n) => drawSubRun(node, changes[n])),
      ['schema', 'web', 'glue'],
      plain,
    )}`,
    `
✔      schema!  complete
│ ⊘    extra    skipped     not needed
├─│─▶  api      dispatched  attempt 2; waits for its job, which is coding
✖ │ │  web!     failed      the build broke
│ ▲ │  old      escalated   who knows
○───╯  glue!    pending     waits for web (failed)
◎      docs     ready       waits for its turn

○ pending  ◎ ready  ▶ dispatched  ✔ complete  ✖ failed  ▲ escalated  ⊘ skipped  ! on the critical path
`,
  );
});

test('nodes without any edge are listed, not drawn below each other', () => {
  assert.is(
    `\n${drawCampaignGraph(
      parseGraph('a\nb\nc: b\nd').map((node) => drawSubRun(node)),
      [],
      plain,
    )}`,
    `
○  b  pending
○  c  pending
each on its own
○  a  pending
○  d  pending

○ pending
`,
  );
});

test('a terminal of known width gets its rows cut, never broken', () => {
  const one = drawSubRun(
    { name: 'web', dependsOn: [] },
    { status: 'failed', reason: 'the build broke in many places' },
  );
  assert.is(
    `\n${drawCampaignGraph([one], [], { ...plain, columns: 40 })}`,
    `
each on its own
✖  web  failed  the build broke in many…

✖ failed
`,
  );
});

test('colours: signs and statuses by what they mean, the critical path bold, lines dim', () => {
  const text = drawCampaignGraph(
    parseGraph('a\nb: a').map((node) => drawSubRun(node, { status: 'complete' })),
    ['a'],
    {
      color: new Ansis(1),
      columns: 0,
    },
  );
  assert.match(text, '\u001B[32m✔\u001B[39m');
  assert.match(text, '\u001B[1ma!\u001B[22m');
});

test('too many lines side by side: a list by levels, with those that each one waits for', () => {
  const roots = Array.from({ length: 20 }, (_, n) => `n${n}`);
  const text = drawCampaignGraph(
    parseGraph(`${roots.join('\n')}\nend: ${roots.join(' ')}\nlast: end`).map((node) =>
      drawSubRun(node),
    ),
    [],
    plain,
  );
  const lines = text.split('\n');
  assert.equal(lines.slice(0, 2), ['level 1', '○  n0    pending']);
  assert.equal(lines.slice(21), [
    'level 2',
    '○  end   pending  after n0, n1, n2, n3, n4 and 15 more',
    'level 3',
    '○  last  pending  after end',
    '',
    '○ pending',
    '',
  ]);
});

const SHOP = `
schema
tokens
api: schema
auth: schema tokens
search: api
orders: api auth
payments: orders
invoices: orders
stock: schema
prices: stock
cart: prices api
checkout: cart payments
mail: auth
alerts: mail
reports: invoices
exports: reports
web-shell
web-search: web-shell search
web-cart: web-shell cart
web-checkout: web-cart checkout
web-orders: web-shell orders
admin: web-shell auth
admin-stock: admin stock
admin-reports: admin reports
load-test: web-checkout web-search
docs: api
guide: docs
release: load-test admin-stock admin-reports web-orders exports alerts guide
licence
cleanup: release
`;

test('30 sub-runs of a shop (CLI-3)', () => {
  const statuses = ['complete', 'complete', 'dispatched', 'pending'] as const;
  const nodes = parseGraph(SHOP).map((node, n) => {
    const status = statuses[Math.min(3, Math.floor(n / 7))] ?? 'pending';
    return drawSubRun(node, { status, waitsFor: status === 'pending' ? 'for its turn' : null });
  });
  assert.is(nodes.length, 30);
  const criticalPath = parseGraph(
    'schema: api orders payments checkout web-checkout load-test release cleanup',
  ).flatMap(({ name, dependsOn }) => [name, ...dependsOn]);
  assert.is(
    `\n${drawCampaignGraph(nodes, criticalPath, plain)}`,
    `
✔                        schema!        complete
│ ✔                      tokens         complete
│ │ ▶                    web-shell      dispatched
├─│─│─✔                  api!           complete
├─✔ │ │                  auth           complete
✔ │ │ │                  stock          complete
│ │ │ ├─✔                search         complete
│ ├─│─┼─│─✔              orders!        complete
├─│─│─│─│─│─✔            prices         complete
│ ├─│─│─│─│─│─✔          mail           complete
│ ○─┤ │ │ │ │ │          admin          pending     waits for its turn
│ │ │ ├─│─│─│─│─○        docs           pending     waits for its turn
│ │ │ │ │ ├─│─│─│─✔      payments!      complete
│ │ │ │ │ ├─│─│─│─│─✔    invoices       complete
│ │ │ ✔─│─│─╯ │ │ │ │    cart           complete
│ │ │ │ │ │   ✔ │ │ │    alerts         complete
│ │ ├─│─▶ │   │ │ │ │    web-search     dispatched
│ │ ├─│─│─▶   │ │ │ │    web-orders     dispatched
○─┤ │ │ │ │   │ │ │ │    admin-stock    pending     waits for its turn
│ │ │ │ │ │   │ ○ │ │    guide          pending     waits for its turn
│ │ │ ├─│─│───│─│─✔ │    checkout!      complete
│ │ │ │ │ │   │ │ │ ▶    reports        dispatched
│ │ ▶─╯ │ │   │ │ │ │    web-cart       dispatched
│ │ │   │ │   │ │ │ ├─▶  exports        dispatched
│ │ ▶───│─│───│─│─╯ │ │  web-checkout!  dispatched
│ ○─│───│─│───│─│───╯ │  admin-reports  pending     waits for its turn
│ │ ○───╯ │   │ │     │  load-test!     pending     waits for its turn
○─┴─┴─────┴───┴─┴─────╯  release!       pending     waits for its turn
○                        cleanup!       pending     waits for its turn
each on its own
○                        licence        pending     waits for its turn

○ pending  ▶ dispatched  ✔ complete  ! on the critical path
`,
  );
});

test('a thousand in no time', () => {
  const nodes = Array.from(
    { length: 1_000 },
    (_, n): GraphNode => ({ name: `n${n}`, dependsOn: n === 0 ? [] : [`n${n - 1}`] }),
  );
  assert.is(drawGraphLanes(nodes)?.length, 1_000);
});

test.run();
