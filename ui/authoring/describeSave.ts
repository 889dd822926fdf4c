import type { LayerName } from './authoredFiles.ts';

interface SaveFacts {
  canSave: boolean;
  /** Whether it is a file of a team's overlay at its control plane. */
  isOfTeam: boolean;
  isChecked: boolean;
  hasErrors: boolean;
  layer: LayerName | undefined;
}

export function describeSave({
  canSave,
  isOfTeam,
  isChecked,
  hasErrors,
  layer,
}: SaveFacts): string {
  if (!canSave)
    return isOfTeam
      ? 'Only an admin of the team can save. A member can apply what an agent proposes.'
      : 'Nowhere to save: set tenant.overlay to a localDir in the configuration.';
  if (!isChecked)
    return isOfTeam
      ? 'You can save once the linter of a connected runner has checked it.'
      : 'You can save once the linter has checked it.';
  if (hasErrors)
    return 'Fix the errors to save. Running jobs read saved files at their next phase.';
  if (isOfTeam) return "Saving makes the next version of the team's overlay.";
  return layer === 'tenant'
    ? 'Saving writes to the tenant layer.'
    : `Saving creates a copy in the tenant layer, which overrides the ${layer} layer.`;
}
