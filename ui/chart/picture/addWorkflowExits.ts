import type {
  ChartArrow,
  ChartGuard,
  ChartNode,
} from '../../../src/contract/schema/workflow/machine.ts';

/** Paths of what is added. No phase can have these names. */
export const EXITS = { failed: '(failed)', escalated: '(escalated)', budget: '(budget)' } as const;

const BROKEN: ChartGuard = {
  name: 'failed',
  says: 'it ended with an error, or a limit of the session was reached',
  readsEvent: true,
};
const BROKEN_AT_LAST: ChartGuard = {
  ...BROKEN,
  says: `${BROKEN.says}, or the completion gate has blocked as often as it may`,
};

const createExit = (path: string, name: string, more: Partial<ChartNode> = {}): ChartNode => ({
  path,
  name,
  type: 'final',
  initial: null,
  description: null,
  tags: [],
  waits: [],
  entry: [],
  exit: [],
  arrows: [],
  states: [],
  ...more,
});

const hasAgent = ({ tags }: ChartNode): boolean => tags.includes('agent');

/**
 * The chart of a workflow with what any phase with an agent can come to, and charts of workflows leave
 * out: a failure, an escalation, the wait for a budget, and where `goto_phase` may lead. A pause and a
 * cancel are possible everywhere and are not added.
 */
export function addWorkflowExits(root: ChartNode): ChartNode {
  const phases = root.states.filter(({ type }) => type !== 'final');
  const last = phases.findLast(hasAgent);
  const hasCheckpoint = phases.some(({ tags }) => tags.includes('checkpoint'));
  const mayGoTo = hasCheckpoint
    ? ['goto_phase: any other phase,', 'past a checkpoint once approved']
    : ['goto_phase: any other phase'];
  const states = root.states.map((node): ChartNode => {
    if (!hasAgent(node)) return node;
    const leave = (
      kind: keyof typeof EXITS,
      event: string,
      from: string,
      guard: ChartGuard | null = null,
    ): ChartArrow => ({
      id: `${node.path}#${kind}`,
      event,
      from,
      targets: [EXITS[kind]],
      reenter: false,
      guard,
      effects: [],
    });
    const notes = phases.length > 1 ? mayGoTo : [];
    return {
      ...node,
      description: [...(node.description === null ? [] : [node.description]), ...notes].join(' · '),
      arrows: [
        ...node.arrows,
        leave('failed', 'session.ended', 'the runner', node === last ? BROKEN_AT_LAST : BROKEN),
        leave('escalated', 'tool.escalate', 'the agent'),
        leave('budget', 'budget.exceeded', 'the runner'),
      ],
    };
  });
  if (last === undefined) return root;
  return {
    ...root,
    states: [
      ...states,
      createExit(EXITS.failed, 'failed'),
      createExit(EXITS.escalated, 'escalated'),
      createExit(EXITS.budget, 'budget spent', {
        type: 'atomic',
        description: 'then the same phase continues',
        tags: ['wait'],
        waits: ['for a budget to be raised, or to begin again'],
      }),
    ],
  };
}
