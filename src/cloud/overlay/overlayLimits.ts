import type { OverlayVersion } from '../../contract/schema/cloud/teamOverlay.ts';
import {
  MAX_LAYER_BYTES,
  MAX_LAYER_FILE_BYTES,
  MAX_LAYER_FILES,
} from '../../workflows/overlay/layer.ts';

/** Longest list of the files of a version, bytes of JSON: a runner reads it as one answer. */
export const MAX_MANIFEST_BYTES = 512 * 1024;

const MIB = 1024 * 1024;

/** Why a version with these files is too large, as a sentence; null = it is not. */
export function explainOverlaySize(files: OverlayVersion['files']): string | null {
  const large = files.find(({ bytes }) => bytes > MAX_LAYER_FILE_BYTES);
  if (large !== undefined)
    return `${large.path} has ${large.bytes} bytes; a file of the overlay may have ${MAX_LAYER_FILE_BYTES / MIB} MiB.`;
  if (files.length > MAX_LAYER_FILES)
    return `The overlay would have ${files.length} files; ${MAX_LAYER_FILES} are the limit.`;
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_LAYER_BYTES)
    return `The files of the overlay would have more than ${MAX_LAYER_BYTES / MIB} MiB together, the limit.`;
  return JSON.stringify(files).length > MAX_MANIFEST_BYTES
    ? `The paths of the overlay would be too long together: their list may have ${MAX_MANIFEST_BYTES / 1024} KiB.`
    : null;
}
