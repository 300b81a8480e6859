/** The signs of a hypervisor; null: the sign does not exist on this host. */
export interface VirtualisationSigns {
  /** Answer of `systemd-detect-virt --vm`: a name or none. */
  readonly detected: string | null;
  /** x86: the hypervisor flag of /proc/cpuinfo. */
  readonly cpuFlag: boolean | null;
  /** /sys/hypervisor/type, written by Xen. */
  readonly hypervisorType: string | null;
  /** /sys/class/dmi/id/sys_vendor and product_name. */
  readonly vendor: string | null;
  readonly product: string | null;
}

/** What hypervisors write into DMI, after `src/basic/virt.c` of systemd. */
const DMI_NAMES: readonly (readonly [text: RegExp, name: string])[] = [
  [/KVM|OpenStack|KubeVirt/, 'kvm'],
  [/Google Compute Engine/, 'google'],
  [/Amazon EC2/, 'amazon'],
  [/QEMU|Bochs/, 'qemu'],
  [/VMware/, 'vmware'],
  [/innotek GmbH|VirtualBox/, 'oracle'],
  [/Xen/, 'xen'],
  [/Microsoft Corporation Virtual Machine/, 'microsoft'],
  [/Parallels/, 'parallels'],
  [/BHYVE/, 'bhyve'],
  [/Apple Virtualization/, 'apple'],
];

/**
 * The hypervisor under this kernel: its name, `unknown hypervisor`, or `none`. null where no sign
 * exists, as on arm64 without systemd and DMI.
 */
export function nameHypervisor(signs: VirtualisationSigns): string | null {
  if (signs.detected !== null) return signs.detected;
  if (signs.hypervisorType !== null) return signs.hypervisorType;
  // The flag decides before DMI: a bare-metal cloud machine carries its cloud's name in DMI too.
  if (signs.cpuFlag === false) return 'none';
  const named = signs.product?.endsWith('.metal') ? null : nameFromDmi(signs);
  return named ?? (signs.cpuFlag === true ? 'unknown hypervisor' : null);
}

function nameFromDmi({ vendor, product }: VirtualisationSigns): string | null {
  const text = `${vendor ?? ''} ${product ?? ''}`;
  return DMI_NAMES.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
