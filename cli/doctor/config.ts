import type { LoadedSettings } from '../../src/host/config/settings/loadSettings.ts';
import { SvcError } from '../../src/shared/errors/errors.ts';
import { type Finding, toErrorFinding, toOkFinding, toWarningFinding } from './check.ts';

export function diagnoseConfig(
  loaded: LoadedSettings | SvcError,
  file: string,
  exists: boolean,
): Finding {
  if (loaded instanceof SvcError) {
    const places = loaded.errors.map(({ pointer, message }) => `${pointer} ${message}`);
    return toErrorFinding(
      [loaded.message, ...places].join(' '),
      `Fix ${file}. svc config schema prints its schema.`,
    );
  }
  if (loaded.warnings.length > 0)
    return toWarningFinding(loaded.warnings.join('; '), `Check ${file}.`);
  return toOkFinding(exists ? file : `${file} does not exist: the defaults apply`);
}
