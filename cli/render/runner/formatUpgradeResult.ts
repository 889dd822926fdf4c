import { formatProgramName } from '../../../src/host/upgrade/program.ts';
import type { UpgradeResult } from '../../remote/upgradeRunner.ts';

export const formatUpgradeResult = ({ from, to, url }: UpgradeResult): string =>
  from.build === to.build && from.version === to.version
    ? `${formatProgramName(to)} runs again at ${url}.\n`
    : `${formatProgramName(to)} runs at ${url}, instead of ${formatProgramName(from)}.\n`;
