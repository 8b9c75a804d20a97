/**
 * Parts of the language that only the compiler needs. The build puts these names in place of the
 * global ones in our own code; `harden` then removes the global ones, so that pages lack them.
 */
const natives = globalThis;
const { Atomics: atomics, SharedArrayBuffer: sharedArrayBuffer, WebAssembly: webAssembly } = natives;

export { atomics as Atomics, sharedArrayBuffer as SharedArrayBuffer, webAssembly as WebAssembly };
