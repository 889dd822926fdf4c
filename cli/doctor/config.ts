import type { LoadedSettings } from '../../src/config/loadSettings.ts';
import { SvcError } from '../../src/lib/errors.ts';
import { type Finding, failed, ok, warning } from './check.ts';

export function judgeConfig(
  loaded: LoadedSettings | SvcError,
  file: string,
  exists: boolean,
): Finding {
  if (loaded instanceof SvcError) {
    const places = loaded.errors.map(({ pointer, message }) => `${pointer} ${message}`);
    return failed(
      [loaded.message, ...places].join(' '),
      `Fix ${file}. svc config schema prints its schema.`,
    );
  }
  if (loaded.warnings.length > 0) return warning(loaded.warnings.join('; '), `Check ${file}.`);
  return ok(exists ? file : `${file} does not exist: the defaults apply`);
}
