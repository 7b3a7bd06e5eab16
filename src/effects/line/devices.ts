/** Disks and memory: a write to one of these goes below every file system. */
const RAW =
  /^\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|md\d|dm-\d|sr\d|r?disk\d|disk\/|mapper\/|loop\d|mem$|kmem$|port$)/;
/** Character devices that store nothing. */
const KEEPS_NOTHING = /^\/dev\/(?:null|zero|full|u?random|tty\w*|pts\/.*|ptmx|std(?:in|out|err)|fd\/\d+|console)$/;

export function isRawDevice(path: string): boolean {
  return RAW.test(path);
}

export function keepsNothing(path: string): boolean {
  return KEEPS_NOTHING.test(path);
}
