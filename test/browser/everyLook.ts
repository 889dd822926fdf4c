/**
 * npm run test:axe [-- 1024-light forced-colours …]
 *
 * Looks at every page of the dashboard in every way (or in those named), keeps pictures, and prints
 * what axe finds. The last line is `N pages looked at, N findings`; exit code 1 where there are any.
 */
import { openEveryPage, faultsOfPages } from '../support/browser/everyPage.ts';
import { LOOKS, OTHER_LOOKS, PICTURES } from '../support/browser/pageChecks.ts';

const all = [...LOOKS, ...OTHER_LOOKS];
const names = process.argv.slice(2);
const unknown = names.filter((name) => !all.some((look) => look.name === name));
if (unknown.length > 0) {
  console.log(
    `There is no look ${unknown.join(', ')}; known: ${all.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(1);
}
const looks = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
const { stage, pages } = await openEveryPage();
let findings = 0;
try {
  for (const look of looks) {
    const faults = await faultsOfPages(stage, pages, look);
    findings += faults.length;
    console.log(
      `${look.name}: ${faults.length === 0 ? 'nothing found' : `\n  ${faults.join('\n  ')}`}`,
    );
  }
} finally {
  await stage.close();
}
console.log(`pictures: ${PICTURES}`);
console.log(`${looks.length * pages.length} pages looked at, ${findings} findings`);
process.exitCode = findings === 0 ? 0 : 1;
