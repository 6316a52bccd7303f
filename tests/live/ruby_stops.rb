# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# ruby_stops.rb TRUTH CNT PROGRAM: a program that stops again and again.
#
# A stop is a call of getppid(2). Right before, in the same line, the interpreter is asked for the stack of the thread;
# TRUTH gets a line of JSON for each: the thread's id, and functions with file and line, innermost first. Functions of
# C, which have native frames, are left out: they are named in IN_C, and have the place of their caller.
require "json"
require "fiber"

IN_C = %w[each map times each_with_index inject sort_by sort <=> call new initialize instance_eval class_eval module_eval
          eval instance_exec public_send __send__ send require load require_relative define_method catch throw each_pair
          each_slice each_entry upto step each_index select collect reduce join value start resume next yield each_char
          gsub method_missing respond_to_missing? inherited synchronize raise lock unlock loop tap then sum
          transform_values sort! max_by min_by group_by flat_map each_cons zip cycle first take_while detect find instance_variable_get
          start_with? new_without exec at_exit pass alive? to_s inspect hash eql? coerce take].freeze
$truth = Thread::Queue.new
$random = Random.new(7)

def own_remember(locations)
  stack = locations.map { |l| [l.label, l.path, l.lineno] }
  stack = stack.each_with_index.reject do |(label, *place), i|
    place == [nil, 0] || (IN_C.include?(label) && stack[i + 1] && place == stack[i + 1][1..])
  end
  $truth << [Thread.current.native_thread_id, stack.map(&:first)]
end

def own_stop
  own_remember(caller_locations(0)); Process.ppid
end

module Programs
  # Up to 300 functions deep, with and without functions of C in between.
  def self.recursion(cnt)
    down = ->(depth) { depth > 0 ? down.(depth - 1) : own_stop }
    cnt.times do |i|
      case i % 3
      when 0 then own_down($random.rand(280))
      when 1 then own_through_c($random.rand(60))
      else down.($random.rand(40))
      end
    end
  end

  def self.own_down(depth)
    return own_stop if depth.zero?
    own_down(depth - 1)
  end

  def self.own_through_c(depth)
    return own_stop if depth.zero?
    [depth - 1].each { |d| own_through_c(d) }
  end

  # Blocks that functions of C and of Ruby call, procs, methods made of blocks.
  def self.blocks(cnt)
    own_proc = proc { |x| own_stop; x }
    own_lambda = lambda { |x| own_stop; x }
    keeper = Class.new do
      define_method(:own_defined) { own_stop }
      def method_missing(name, *) = name == :own_missing ? own_stop : super
      def respond_to_missing?(name, *) = name == :own_missing
      def <=>(other) = own_stop && 0
      include Comparable
      def each
        yield 1
        yield 2
      end
      include Enumerable
    end
    done = 0
    while done < cnt
      [3, 1, 2].sort_by { |x| own_stop; x }
      [3, 1].sort { |a, b| own_stop; a <=> b }
      (1..2).inject { |a, b| own_stop; a + b }
      2.times { own_stop }
      { a: 1 }.each_pair { |_k, _v| own_stop }
      1.tap { own_stop }
      "ab".gsub(/a/) { own_stop; "x" }
      own_proc.call(1)
      own_lambda.(1)
      [1].map(&own_lambda)
      keeper.new.own_defined
      keeper.new.own_missing
      keeper.new.public_send(:own_defined)
      keeper.new.map { |x| own_stop; x }
      [keeper.new, keeper.new].sort
      keeper.new.instance_eval { own_stop }
      keeper.new.each_slice(2) { own_stop }
      catch(:out) { own_stop; throw :out }
      done += 20
    end
  end

  # Fibers, enumerators that are asked from outside.
  def self.fibers(cnt)
    done = 0
    while done < cnt
      fiber = Fiber.new do
        own_stop
        Fiber.yield 1
        own_down($random.rand(20))
        Fiber.new { own_stop }.resume
        own_stop
      end
      fiber.resume
      own_stop
      fiber.resume
      letters = Enumerator.new { |y| 3.times { |i| own_stop; y << i } }
      letters.next
      own_stop
      letters.next
      lazy = (1..Float::INFINITY).lazy.map { |x| own_stop; x }
      lazy.first(2)
      done += 10
    end
  end

  # Ten threads at a time, which end.
  def self.threads(cnt)
    (cnt / 80 + 1).times do
      10.times.map { |i| Thread.new { own_many(i) } }.each(&:join)
    end
  end

  def self.own_many(depth)
    return own_many(depth - 1) if depth > 0
    8.times { own_stop; Thread.pass }
  end

  # Handlers and what runs at all events.
  def self.exceptions(cnt)
    done = 0
    while done < cnt
      begin
        own_raise($random.rand(10))
      rescue ArgumentError
        own_stop
      ensure
        own_stop
      end
      [1].each { |x| begin; raise "x"; rescue; own_stop; end; x }
      own_retry
      done += 8
    end
  end

  def self.own_raise(depth)
    raise ArgumentError if depth.zero?
    own_raise(depth - 1)
  ensure
    own_stop if depth.zero?
  end

  def self.own_retry
    tries = 0
    begin
      tries += 1
      own_stop
      raise "again" if tries < 3
    rescue
      own_stop
      retry
    end
  end

  # Code that is made, run and freed: the next one has its address.
  def self.short_lived(cnt)
    cnt.times do |i|
      lines = "\n" * $random.rand(5)
      eval("def self.own_f#{i % 7}\n#{lines} #{"0;" * $random.rand(9)} own_stop\nend\nown_f#{i % 7}", binding, "<made #{i % 11}>", i + 1)
      GC.start if i % 50 == 0
      singleton_class.send(:remove_method, :"own_f#{i % 7}")
    end
  end

  # Files that are loaded, bodies of classes and modules.
  def self.files(cnt)
    (cnt / 10 + 1).times do |i|
      File.write("own_file#{i}.rb", "#{"\n" * (i % 9)}module OwnModule#{i}\n  own_stop\n  class OwnClass\n    own_stop\n" \
                                    "    class << self\n      own_stop\n    end\n    [1, 2].each { own_stop }\n  end\nend\nown_stop\n")
      load("./own_file#{i}.rb")
    end
  end

  # Names and files of other people's choice, and long functions.
  def self.names(cnt)
    odd = ["own_ünïcödé", "own_名前", "own_" + "x" * 300]
    files = ["/tmp/a\nb\e[31m;c", "/" + "u" * 600, "own", "/tmp/ü/x.rb"]
    cnt.times do |i|
      name = odd[i % odd.size]
      filler = " x = #{i}\n" * [3, 40, 90, 120][i % 4]
      eval("def self.#{name}\n x = 1\n#{filler} own_stop\n#{filler} own_stop\nend\n#{name}", binding, files[$random.rand(files.size)])
    end
  end
end

# A thread that writes would be one more that stops.
Programs.public_send(ARGV[2], ARGV[1].to_i)
File.open(ARGV[0], "w") { |f| f.puts($truth.pop.to_json) until $truth.empty? }
