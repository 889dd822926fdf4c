import { ciFilesPage } from './ciFiles.ts';
import { cliPage } from './cli.ts';
import { cloudHttpPage } from './cloudHttp.ts';
import { configurationPage } from './configuration.ts';
import { ERROR_MESSAGES_FILE, renderErrorMessages } from './errorMessages.ts';
import { errorsPage } from './errors.ts';
import { httpPage } from './http.ts';
import { lintPage } from './lint.ts';
import { metricsPage } from './metrics.ts';
import { PLUGIN_TYPES_FILE, pluginTypesFile } from './pluginTypes.ts';
import { toolsPage } from './tools.ts';

export const REFERENCE_FOLDER = 'docs/reference';

interface GeneratedFile {
  file: string;
  render(): string | Promise<string>;
}

export const REFERENCE_PAGES: readonly GeneratedFile[] = [
  { file: `${REFERENCE_FOLDER}/ci-files.md`, render: ciFilesPage },
  { file: `${REFERENCE_FOLDER}/cli.md`, render: cliPage },
  { file: `${REFERENCE_FOLDER}/cloud-http.md`, render: cloudHttpPage },
  { file: `${REFERENCE_FOLDER}/configuration.md`, render: configurationPage },
  { file: `${REFERENCE_FOLDER}/errors.md`, render: errorsPage },
  { file: `${REFERENCE_FOLDER}/http.md`, render: httpPage },
  { file: `${REFERENCE_FOLDER}/lint.md`, render: lintPage },
  { file: `${REFERENCE_FOLDER}/metrics.md`, render: metricsPage },
  { file: `${REFERENCE_FOLDER}/tools.md`, render: toolsPage },
];

/** Everything that `npm run reference` writes. */
export const GENERATED_FILES: readonly GeneratedFile[] = [
  ...REFERENCE_PAGES,
  { file: PLUGIN_TYPES_FILE, render: pluginTypesFile },
  { file: ERROR_MESSAGES_FILE, render: renderErrorMessages },
];
