import { STORE_VERSION } from '../../src/jobs/store/migrations/migrations.ts';
import { restoreHome } from '../../src/host/backup/restoreHome.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';

/** Restores `file` into `home` and ends itself as by `kill -9` where it reaches `step`. */
const [file = '', home = '', release = '', step] = process.argv.slice(2);
await restoreHome({
  file,
  home,
  release,
  schema: STORE_VERSION,
  pid: process.pid,
  isAlive: () => false,
  ids: randomIds,
  findProblems: () => [],
  onStep(reached) {
    if (reached === step) process.kill(process.pid, 'SIGKILL');
  },
});
