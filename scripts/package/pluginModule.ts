import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import ts from 'typescript';
import { PLUGIN_TYPES } from '../../src/plugins/scaffold/pluginTypes.generated.ts';

/** Head of the files; the text's own is for the copy in a plugin. */
const HEAD = '// The contract between svc and its plugins, version 1.\n';

/** What `import '@svc/runner'` gives: the plugin contract, as a module and as its types. */
export async function pluginModule(): Promise<{ js: string; types: string }> {
  const text = PLUGIN_TYPES.replace(/^(?:\/\/.*\n)+/, HEAD);
  const { code } = await transform(text, { loader: 'ts', format: 'esm', target: 'node20' });
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext },
  });
  if (diagnostics.length > 0)
    throw new Error(
      `The plugin contract has no declarations: ${diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('; ')}`,
    );
  return { js: `${HEAD}${code}`, types: outputText };
}

export async function writePluginModule(folder: string): Promise<void> {
  const { js, types } = await pluginModule();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), js);
  writeFileSync(join(folder, 'index.d.ts'), types);
}
