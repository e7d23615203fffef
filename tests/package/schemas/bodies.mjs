// Valid bodies of the resources in this folder, and queries that find some of them by their `key`.

const uuid = "6ba7b810-9dad-41d1-80b4-00c04fd430c8";

/** The bodies of each resource. Other bodies are derived from them. @type {Record<string, any[]>} */
export const bodies = {
  product: [
    { title: "Lamp", price: { amount: 40, currency: "EUR" } },
    {
      title: "Désk 桌",
      price: { amount: 0.5, currency: "USD" },
      status: "active",
      sku: "AB-12",
      color: "red",
      tags: ["wood", "new"],
      size: { width: 2.5, height: 3 },
      variants: [
        { name: "oak", stock: 2, price: { amount: 1, currency: "EUR" } },
        { name: "fir", stock: 0 },
      ],
    },
  ],
  order: [
    {
      number: 7,
      placed: "2026-02-28T10:00:00Z",
      customer: { name: "Ada", email: "ada@example.org", vat: "DE123" },
      lines: [{ sku: "AB-1", count: 2, price: 9.99 }],
      paid: false,
      payment: "card",
      delivery: { street: "Main 1", city: "Köln", country: "DE", day: "2026-03-01" },
    },
    {
      number: 8,
      placed: "2026-02-28T10:00:00.123Z",
      customer: { name: "Bo", email: "bo@example.org" },
      lines: [
        { sku: "AB-1", count: 1, price: 1 },
        { sku: "CD-2", count: 5, price: 0.1 },
      ],
      paid: true,
    },
  ],
  job: [
    {
      title: "Engineer",
      company: { name: "Acme", site: "https://acme.example/jobs?x=1" },
      salary: { from: 50000, to: 70000.5 },
      kind: "full",
      level: 2,
      skills: ["rust", "sql"],
      until: "2028-02-29",
      contact: "jobs@acme.example",
      reference: uuid,
    },
    { title: "Cook", company: { name: "Bistro" }, kind: "part", skills: ["bread"] },
  ],
  contact: [
    {
      name: { first: "Ada", last: "Lovelace" },
      email: "ada@example.org",
      phones: [
        { kind: "home", number: "+4912345678" },
        { kind: "work", number: "+441234567" },
      ],
      address: { street: "Main 1", city: "London", zip: "12345" },
      born: "1815-12-10",
      rating: 3,
      newsletter: true,
    },
    { name: { first: "Bo", last: "Li" }, email: "bo@example.org", phones: [{ kind: "home", number: "+441234567" }] },
  ],
  event: [
    {
      title: "Launch",
      begin: "2026-05-01T10:00:00Z",
      end: "2026-05-01T12:30:00+02:00",
      seats: 120,
      place: { name: "Hall", online: false },
      speakers: [
        { name: "Ada", topics: ["engines", "math"] },
        { name: "Bo", topics: [] },
      ],
      color: "#ff8800",
    },
    {
      title: "Call",
      begin: "2026-06-01T10:00:00Z",
      seats: 0,
      place: { name: "Room", online: true, link: "https://meet.example/a" },
      visibility: "members",
    },
  ],
  article: [
    {
      slug: "first-post",
      title: "First",
      body: 'Hello "world" \\ \u2028 😀',
      author: { name: "Ada", profile: { site: "https://ada.example" } },
      words: 2,
      score: 0.25,
      tags: ["news", "howto"],
      comments: [
        { by: "Bo", text: "Nice", likes: 3 },
        { by: "Cy", text: "No", likes: -1 },
      ],
    },
    { slug: "second", title: "Second", body: "", author: { name: "Bo" }, tags: ["opinion"] },
  ],
  vehicle: [
    {
      plate: "B-42",
      make: "Volvo",
      year: 2020,
      fuel: "diesel",
      doors: 5,
      engine: { power: 110.5, cylinders: 4 },
      services: [
        { day: "2024-02-29", cost: 300, parts: ["filter", "belt"] },
        { day: "2025-03-01", cost: 0 },
      ],
      electric: false,
    },
    { plate: "AB-1", make: "Zoe", year: 1900, fuel: "electric", engine: { power: 80 }, electric: true },
  ],
  reading: [
    {
      sensor: uuid,
      at: "2026-01-01T00:00:00.5Z",
      place: { latitude: 52.5, longitude: -13.4 },
      values: [
        { unit: "C", value: -12.75 },
        { unit: "hPa", value: 1013.25 },
      ],
      battery: 99.5,
      address: "10.0.0.255",
      faults: [3, 1],
    },
    { sensor: uuid.toUpperCase(), at: "2026-01-01T00:01:00+01:00", values: [{ unit: "%", value: 40 }] },
  ],
  ticket: [
    {
      subject: "It fails",
      priority: "high",
      reporter: { name: "Ada", email: "ada@example.org" },
      assignee: { team: "core", lead: true },
      hours: 1.75,
      history: [
        { at: "2026-01-01T00:00:00Z", state: "open", by: { name: "Ada" } },
        { at: "2026-01-02T00:00:00Z", state: "closed" },
      ],
      duplicateOf: 12,
    },
    { subject: "Slow", reporter: { name: "Bo", email: "bo@example.org" }, assignee: { team: "web" } },
  ],
  invoice: [
    {
      number: "R0001",
      issued: "2026-01-31",
      due: "2026-02-28",
      buyer: { name: "Acme", country: "DE" },
      seller: { name: "Me" },
      lines: [
        { text: "Work", amount: 100.1, rate: 19, period: { from: "2026-01-01" } },
        { text: "Travel", amount: 0 },
      ],
      total: 119.12,
      paid: true,
    },
    { number: "R0002", issued: "2026-02-01", buyer: { name: "Bo" }, lines: [{ text: "Work", amount: 5, rate: 7 }] },
  ],
  recipe: [
    {
      name: "Bread",
      servings: 8,
      level: "easy",
      vegan: true,
      time: { total: 180, rest: 120 },
      ingredients: [{ name: "flour", grams: 500 }, { name: "salt" }],
      steps: ["Mix", "Wait", "Bake"],
      source: "https://bread.example/#a",
      old: "x",
    },
    { name: "Tea", servings: 1, time: { total: 5 }, steps: ["Boil"] },
  ],
  place: [
    {
      name: "Café",
      location: { latitude: 48.2, longitude: 16.37 },
      opens: [
        { day: "mon", from: "08:00:00Z", breaks: ["12:00", "15:30"] },
        { day: "sat", from: "09:30:00+01:00" },
      ],
      site: "cafe.example",
      address: "2001:db8::1",
      stars: 5,
      features: ["garden", "wifi"],
    },
    { name: "Park", location: { latitude: -33, longitude: 151 }, features: [] },
  ],
};

/** Conditions, each with the places in `bodies` that match. @type {Record<string, [string, number[]][]>} */
export const queries = {
  product: [
    ['price.amount > 10 and price.currency = "EUR"', [0]],
    ['size.width > 2 and variants(name = "oak" and price.amount = 1)', [1]],
    ['variants(name = "fir" and stock > 0) or size.height is not defined', [0]],
    ['status = "draft" and not tags contains any ("wood")', [0]],
  ],
  order: [
    ['customer.email = "ada@example.org" and delivery.city = "Köln"', [0]],
    ['lines(sku = "CD-2" and count > 4) and paid = true', [1]],
    ['lines(sku = "AB-1" and price < 5)', [1]],
    ['delivery.country in ("DE", "FR") and customer.vat is defined', [0]],
  ],
  job: [
    ['salary.from >= 50000 and salary.to < 80000 and company.name = "Acme"', [0]],
    ['company.site is not defined and skills contains all ("bread")', [1]],
    ['level in (1, 2) or kind = "part"', [0, 1]],
  ],
  contact: [
    ['name.last = "Lovelace" and address.city = "London"', [0]],
    ['phones(kind = "home" and number = "+441234567")', [1]],
    ["newsletter = false and rating is not defined", [1]],
  ],
  event: [
    ["place.online = true and place.link is defined", [1]],
    ['speakers(name = "Ada" and topics contains any ("math")) and seats > 100', [0]],
    ["speakers(topics is empty)", [0]],
    ['visibility = "public"', [0]],
  ],
  article: [
    ['author.profile.site = "https://ada.example" and score < 0.5', [0]],
    ['comments(by = "Cy" and likes < 0) and tags contains all ("news", "howto")', [0]],
    ['author.name = "Bo" and comments is not defined', [1]],
  ],
  vehicle: [
    ['engine.power > 100 and services(cost > 200 and parts contains any ("belt"))', [0]],
    ['engine.cylinders is not defined and fuel = "electric"', [1]],
    ['services(day = "2025-03-01" and cost > 0)', []],
  ],
  reading: [
    ['place.latitude > 50 and values(unit = "C" and value < 0)', [0]],
    ['values(unit = "hPa" and value < 0)', []],
    ['battery is not defined and values.unit = "%"', [1]],
  ],
  ticket: [
    ['reporter.email = "ada@example.org" and history(state = "open" and by.name = "Ada")', [0]],
    ['assignee.team = "web" and assignee.lead is not defined', [1]],
    ['priority = "normal" or hours > 1.5', [0, 1]],
  ],
  invoice: [
    ['buyer.country = "DE" and lines(rate = 19 and period.from = "2026-01-01")', [0]],
    ['lines(text = "Work" and amount < 10) and seller is not defined', [1]],
    ["paid = false and due is not defined", [1]],
  ],
  recipe: [
    ['time.total > 100 and ingredients(name = "flour" and grams > 400)', [0]],
    ['ingredients(name = "salt" and grams is defined)', []],
    ['time.rest is not defined and steps contains any ("Boil")', [1]],
  ],
  place: [
    ["location.latitude < 0 and location.longitude > 100", [1]],
    ['opens(day = "mon" and breaks contains any ("12:00")) and stars = 5', [0]],
    ['opens(day = "sat" and breaks is defined)', []],
    ["features is empty", [1]],
  ],
};
