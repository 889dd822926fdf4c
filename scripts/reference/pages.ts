import { configurationPage } from './configuration.ts';
import { errorsPage } from './errors.ts';

/** Where the generated pages are. */
export const REFERENCE_FOLDER = 'docs/reference';

interface ReferencePage {
  file: string;
  render(): string | Promise<string>;
}

/** The generated pages, one file each. */
export const REFERENCE_PAGES: readonly ReferencePage[] = [
  { file: `${REFERENCE_FOLDER}/configuration.md`, render: configurationPage },
  { file: `${REFERENCE_FOLDER}/errors.md`, render: errorsPage },
];
