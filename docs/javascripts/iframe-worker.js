// Search runs in a worker, and browsers refuse workers on pages that are opened from a folder. There, this runs the
// worker's script in a hidden frame instead. (Material's offline plug-in would load such a script from another host.)
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      this.inside = frame.contentWindow
      this.inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      this.ready = new Promise(resolve => {
        const script = this.inside.document.createElement("script")
        script.src = new URL(url, location.href).href
        script.onload = resolve
        this.inside.document.body.append(script)
      })
    }

    async postMessage(data) {
      await this.ready
      this.inside.dispatchEvent(new MessageEvent("message", { data }))
    }
  }
}
