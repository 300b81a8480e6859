export { bundleScript } from './bundle.ts';
export { flameGraph, flameScript } from './flame-graph.ts';
export { type FlamePage, flamePage } from './flame-page.ts';
export { FLAME_NOTE, type FlameGraph, graphOf } from './graph-of.ts';
export { headline } from './headline.ts';
export {
  groupName,
  groupProfiles,
  groupStacks,
  type ProfileGroup,
  sameGroup,
} from './profile-group.ts';
export { FLAME_CSS } from './styles.ts';
