import { type Finding, toErrorFinding, toOkFinding, toWarningFinding } from './check.ts';

/** First major version of Node that svc runs on, as package.json says. */
const OLDEST_NODE = 20;

export function diagnoseNode(version: string, platform: string, arch: string): Finding {
  const said = `Node ${version} on ${platform} ${arch}`;
  if (Number(version.replace(/^v/, '').split('.')[0]) < OLDEST_NODE)
    return toErrorFinding(said, `Install Node ${OLDEST_NODE} or later from nodejs.org.`);
  if (platform === 'win32')
    return toWarningFinding(said, 'svc runs on Linux and macOS. On Windows, run it in WSL.');
  return toOkFinding(said);
}
