import { type Finding, failed, ok, warning } from './check.ts';

/** First major version of Node that svc runs on, as package.json says. */
const OLDEST_NODE = 20;

export function judgeNode(version: string, platform: string, arch: string): Finding {
  const said = `Node ${version} on ${platform} ${arch}`;
  if (Number(version.replace(/^v/, '').split('.')[0]) < OLDEST_NODE)
    return failed(said, `Install Node ${OLDEST_NODE} or later from nodejs.org.`);
  if (platform === 'win32')
    return warning(said, 'svc runs on Linux and macOS. On Windows, run it in WSL.');
  return ok(said);
}
