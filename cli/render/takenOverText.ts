import { programName } from '../../src/handover/program.ts';
import type { TakenOver } from '../connect/takeOver.ts';

/** How a restart or an upgrade ended. */
export const takenOverText = ({ from, to, url }: TakenOver): string =>
  from.build === to.build && from.version === to.version
    ? `${programName(to)} runs again at ${url}.\n`
    : `${programName(to)} runs at ${url}, instead of ${programName(from)}.\n`;
