import type { ChartArrow, Machine } from '../../src/contract/schema/workflow/machine.ts';
import { toArrowWords } from './describeChart.ts';
import type { LeavingArrow } from './chartSideProps.ts';
import { staysInState } from './picture/buildMachineGraph.ts';
import { toPlainHeading, toPlainState } from './picture/plainWords.ts';

/** How the panel beside a chart names things. */
interface SideWording {
  machine: Pick<Machine, 'kind'>;
  technical: boolean;
}

/** The name of a state in the chosen wording. */
export const nameSideState = (side: SideWording, path: string): string => {
  if (side.technical || side.machine.kind !== 'actor') return path || 'the root';
  return path === '' ? 'the whole chart' : toPlainState(path, path);
};

export function describeArrowTarget({ arrow, source }: LeavingArrow, side: SideWording): string {
  if (side.technical) return toArrowWords(arrow, source.path).to;
  if (staysInState(arrow, source.path)) return arrow.reenter ? 'begins it again' : 'stays';
  return `leads to ${arrow.targets.map((path) => nameSideState(side, path)).join(' and ')}`;
}

export const nameArrowEvent = ({ event, guard }: ChartArrow, side: SideWording): string =>
  event === '' ? 'Immediately' : side.technical ? event : toPlainHeading(event, guard?.name);
