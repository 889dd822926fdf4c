import { relative } from 'node:path';
import type { Reporter } from 'knip';

/**
 * Tells knip's findings and how many files it looked at, as one JSON line: none of its own
 * reporters tells the number.
 */
const report: Reporter = ({ report: kinds, issues, counters, cwd }) => {
  const enabledIssues = Object.entries(issues).filter(
    ([kind]) => kinds[kind as keyof typeof kinds],
  );
  const problems = enabledIssues.flatMap(([kind, files]) =>
    Object.values(files).flatMap((symbols) =>
      Object.values(symbols).map(({ filePath, symbol, line }) => {
        const file = relative(cwd, filePath);
        const place = line === undefined ? file : `${file}:${line}`;
        return kind === 'files'
          ? `${place}: nothing uses this file`
          : `${place}: ${kind}: ${symbol}`;
      }),
    ),
  );
  console.log(JSON.stringify({ looked: counters.processed, problems }));
};

export default report;
