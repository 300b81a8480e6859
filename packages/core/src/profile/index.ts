export {
  PROFILE_BOUNDS,
  PROFILE_DEFAULTS,
  PROFILE_STEPS,
  PROFILERS,
  type ProfileChoice,
} from './choice.ts';
export { SCRIPT_FIELDS, ScriptFolder, shareFromMain } from './fold-script.ts';
export { type Frame, frameTree, preOrder } from './frame-tree.ts';
export { functionChanges, functionShares } from './functions.ts';
export {
  CALL_GRAPHS,
  type CallGraph,
  type FoldedStacks,
  foldedText,
  fromMain,
  KERNEL_MARK,
  mergeStacks,
  parseFolded,
  type RunProfile,
  type StepProfile,
  totalSamples,
} from './stacks.ts';
export { cutAt, isWindowDue, type ProfileWindow } from './window.ts';
