import type { LayerName } from './authoredFiles.ts';

interface SaveFacts {
  canSave: boolean;
  isChecked: boolean;
  hasErrors: boolean;
  layer: LayerName | undefined;
}

export function describeSave({ canSave, isChecked, hasErrors, layer }: SaveFacts): string {
  if (!canSave) return 'Nowhere to save: set tenant.overlay to a localDir in the configuration.';
  if (!isChecked) return 'You can save once the linter has checked it.';
  if (hasErrors)
    return 'Fix the errors to save. Running jobs read saved files at their next phase.';
  return layer === 'tenant'
    ? 'Saving writes to the tenant layer.'
    : `Saving creates a copy in the tenant layer, which overrides the ${layer} layer.`;
}
